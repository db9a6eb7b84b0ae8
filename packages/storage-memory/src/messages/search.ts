import type {
  MessageRecord,
  MessageSearch,
  MessageSearchStore,
  MessagesFound,
  RenewedMessage,
} from "@telex/core/storage";
import type { Verb } from "../engine/gate.ts";
import type { KeptMessages } from "./kept-messages.ts";
import { indexOfKey } from "../engine/sorted.ts";
import { NewestFirst } from "./newest-first.ts";

/** Maximum numbers that one call compares. */
const workOfCall = 2_000_000;
/** The cost of a message in addition to its terms. */
const workOfMessage = 256;
/** Maximum messages without terms that one call returns: per room, in total, and in UTF-16 units of their texts. */
const mostOfRoom = 128;
const mostUnindexed = 2048;
const mostText = 1_000_000;
/** Messages that one call returns for indexing. */
const together = 128;
/** With this many messages without terms, a search is not complete. */
const manyUnindexed = 1000;

const idOf = ({ id }: MessageRecord): number => id;

/** A room, and the number of its messages that have not been searched. */
interface RoomWalk {
  readonly room: readonly MessageRecord[];
  left: number;
  position: number;
}

const positionOf = (room: readonly MessageRecord[], left: number): number => (room[left - 1]?.id ?? 0) + 1;

function walkOf(room: readonly MessageRecord[], before: number | null): RoomWalk {
  const left = before === null ? room.length : indexOfKey(room, idOf, before);
  return { room, left, position: positionOf(room, left) };
}

/** The newest message that has not been searched. Null at the end. */
function down(walks: NewestFirst<RoomWalk>): MessageRecord | null {
  const walk = walks.take();
  const message = walk?.room[walk.left - 1];
  if (walk === undefined || message === undefined) return null;
  walk.left -= 1;
  walk.position = positionOf(walk.room, walk.left);
  if (walk.left > 0) walks.put(walk);
  return message;
}

const isInTime = ({ createTime }: MessageRecord, { createdAfter, createdBefore }: MessageSearch): boolean =>
  createTime > (createdAfter ?? Number.NEGATIVE_INFINITY) && createTime < (createdBefore ?? Number.POSITIVE_INFINITY);

function search({ rooms, terms, recalled, unindexed }: KeptMessages, request: MessageSearch): MessagesFound {
  const own = Array.from(new Set(request.groupIds), (groupId) => walkOf(rooms.get(groupId) ?? [], request.before));
  const walks = new NewestFirst(own.filter(({ left }) => left > 0));
  const messages: MessageRecord[] = [];
  let [work, indexed, text] = [0, 0, 0];
  const hasAll = (ownTerms: Uint32Array, spelling: readonly number[]): boolean =>
    spelling.every((term) => {
      work += ownTerms.length;
      return ownTerms.includes(term);
    });
  const mayMatch = (ownTerms: Uint32Array | undefined): boolean =>
    ownTerms === undefined ||
    request.words.every((spellings) => spellings.some((spelling) => hasAll(ownTerms, spelling)));
  const most = Math.min(mostUnindexed, mostOfRoom * own.length);
  const isFull = (): boolean => messages.length - indexed >= most || text >= mostText;
  while (work < workOfCall && indexed < request.limit && !isFull()) {
    const message = down(walks);
    if (message === null) break;
    work += workOfMessage;
    const existing = terms.get(message.id);
    if (!isInTime(message, request) || recalled.has(message.id) || !mayMatch(existing)) continue;
    messages.push(message);
    if (existing !== undefined) indexed += 1;
    else text += message.content.length + message.pinyin.length;
  }
  const { floor } = walks;
  return { messages, next: floor === 0 ? null : floor, isComplete: unindexed.size < manyUnindexed };
}

/** Messages that one call returns for renewal. */
const renewedTogether = 64;

/** Stores new pinyin and terms of a message, unless its content has changed. */
function renew(
  { rooms, terms, unindexed, outdated }: KeptMessages,
  { groupId, seq, id, ...one }: RenewedMessage,
): void {
  const room = rooms.get(groupId);
  const message = room?.[seq - 1];
  if (room === undefined || message?.id !== id || message.content !== one.content || !outdated.delete(id)) return;
  if (one.fresh === null) return;
  const { terms: fresh, ...texts } = one.fresh;
  room[seq - 1] = { ...message, ...texts };
  if (unindexed.has(id)) unindexed.set(id, { ...message, ...texts });
  else terms.set(id, Uint32Array.from(new Set(fresh)));
}

/** Searches messages by their terms. */
export const searchVerbs = (verb: Verb, stored: KeptMessages): MessageSearchStore => ({
  search: verb((request) => search(stored, request)),
  listUnindexed: verb(() => [...Iterator.from(stored.unindexed.values()).take(together)]),
  listOutdated: verb(() =>
    Iterator.from(stored.outdated.values())
      .map(({ groupId, seq }) => stored.rooms.get(groupId)?.[seq - 1])
      .filter((message) => message !== undefined)
      .take(renewedTogether)
      .toArray(),
  ),
  countOutdated: verb((most) => Math.min(most, stored.outdated.size)),
  renew: verb((messages) => {
    for (const one of messages) renew(stored, one);
  }),
  index: verb((messages) => {
    for (const { id, terms } of messages) {
      if (!stored.unindexed.delete(id)) continue;
      stored.terms.set(id, Uint32Array.from(stored.recalled.has(id) ? [] : new Set(terms)));
    }
  }),
});
