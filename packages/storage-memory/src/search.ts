import type { MessageRecord, MessageSearch, MessageSearchStore, MessagesFound } from "@telex/core/storage";
import type { Verb } from "./gate.ts";
import type { KeptMessages } from "./message-tables.ts";
import { lastBefore, placeOf } from "./sorted.ts";

/** Messages of one room that one call looks at. */
const mostOfRoom = 1024;

const idOf = ({ id }: MessageRecord): number => id;

/** The newest messages of a room below a position, and the id down to which they are all of them. */
function newestOf(room: readonly MessageRecord[], before: number | null) {
  const end = before === null ? room.length : placeOf(room, idOf, before);
  const messages = lastBefore(room, end, mostOfRoom);
  return { messages, floor: end > mostOfRoom ? (messages.at(-1)?.id ?? 0) : 0 };
}

const isRecalled = ({ recalls }: KeptMessages, { groupId, id }: MessageRecord): boolean =>
  recalls.get(groupId)?.some(({ messageId }) => messageId === id) ?? false;

function isFound(kept: KeptMessages, message: MessageRecord, asked: MessageSearch): boolean {
  const { createTime, id } = message;
  if (createTime <= (asked.createdAfter ?? Number.NEGATIVE_INFINITY)) return false;
  if (createTime >= (asked.createdBefore ?? Number.POSITIVE_INFINITY)) return false;
  const terms = kept.terms.get(id);
  const hasAll = (spelling: readonly number[]): boolean => spelling.every((term) => terms?.includes(term) === true);
  return terms !== undefined && asked.words.every((spellings) => spellings.some(hasAll)) && !isRecalled(kept, message);
}

const hasTerms = ({ terms }: KeptMessages, { id }: MessageRecord): boolean => terms.has(id);

function search(kept: KeptMessages, asked: MessageSearch): MessagesFound {
  const rooms = [...new Set(asked.groupIds)].map((groupId) => kept.rooms.get(groupId) ?? []);
  const newest = rooms.map((room) => newestOf(room, asked.before));
  const floor = Math.max(0, ...newest.map((room) => room.floor));
  const found = newest
    .flatMap(({ messages }) => messages)
    .filter((message) => message.id >= floor && isFound(kept, message, asked))
    .toSorted((a, b) => b.id - a.id);
  const messages = found.slice(0, asked.limit);
  const end = messages.length < found.length ? (messages.at(-1)?.id ?? 0) : floor;
  return { messages, next: end === 0 ? null : end, isComplete: rooms.every((room) => isIndexed(kept, room)) };
}

const isIndexed = (kept: KeptMessages, room: readonly MessageRecord[]): boolean =>
  kept.unindexed.size === 0 || room.every((message) => hasTerms(kept, message));

/** Messages by their terms. */
export const searchVerbs = (verb: Verb, kept: KeptMessages): MessageSearchStore => ({
  search: verb((asked) => search(kept, asked)),
  listUnindexed: verb((limit) => [...Iterator.from(kept.unindexed.values()).take(limit)]),
  index: verb((messages) => {
    for (const { id, terms } of messages) {
      if (kept.unindexed.delete(id)) kept.terms.set(id, Uint32Array.from(new Set(terms)));
    }
  }),
});
