import type {
  MessageAppend,
  MessageAppended,
  MessagePage,
  MessageRecord,
  MessagesSince,
  MessageStore,
  NetworkIds,
  NetworkPerson,
  SendClaim,
} from "@telex/core/storage";
import type { Report } from "../stores/changes.ts";
import type { Counters } from "../engine/counters.ts";
import type { Files } from "../stores/files.ts";
import type { Verb } from "../engine/gate.ts";
import {
  type KeptMessages,
  keyOfNonce,
  keepNetworkId,
  keyOfNetwork,
  keyOfPair,
  type MessageKind,
  tablesOf,
} from "./message-tables.ts";
import { createNonces } from "../engine/nonces.ts";
import { createNumbered } from "../engine/numbered.ts";
import { createOutbox, outboxVerbs, settleSent } from "./outbox.ts";
import { createMarkers, readingVerbs, readOwn } from "./reading.ts";
import { recallMessage, recallsSince } from "./recalls.ts";
import { searchVerbs } from "./search.ts";
import { lastBefore, placeOf } from "../engine/sorted.ts";
import type { Kept } from "../engine/tables.ts";

type Messages = readonly MessageRecord[];

const idOf = ({ id }: MessageRecord): number => id;

function pageOf(messages: Messages, before: number | null, limit: number): MessagePage {
  const end = before === null ? messages.length : placeOf(messages, idOf, before);
  return {
    messages: lastBefore(messages, end, limit),
    newer: messages.length - end,
    older: Math.max(0, end - limit),
    above: messages[end + limit]?.id ?? null,
    newest: messages.at(-1)?.id ?? 0,
  };
}

const sizeOf = ({ content, pinyin }: MessageRecord): number => Buffer.byteLength(content) + Buffer.byteLength(pinyin);

/** All messages above an id, or null if they are too many or too large. */
function since(rooms: readonly Messages[], { after, limit, bytes }: MessagesSince): MessageRecord[] | null {
  const found: MessageRecord[] = [];
  let size = 0;
  for (const room of rooms) {
    for (let at = placeOf(room, idOf, after + 1); at < room.length; at += 1) {
      const message = room[at];
      if (message === undefined) break;
      size += sizeOf(message);
      if (found.length === limit || size > bytes) return null;
      found.push(message);
    }
  }
  return found.toSorted((a, b) => a.id - b.id);
}

/** The message that is stored under the nonce of a message that is about to be sent. */
function findSent(kept: KeptMessages, { groupId, userId, nonce, at }: SendClaim): MessageRecord | "conflict" | null {
  if (nonce === null) return null;
  const key = keyOfNonce({ groupId, userId, external: false, nonce: nonce.value });
  const first = kept.nonces.find(key, at, nonce.life);
  if (first === null) return null;
  return first.fingerprint === nonce.fingerprint ? asOfNow(kept, first.message) : "conflict";
}

const nonceKey = ({ message, nonce }: MessageAppend): string | null =>
  nonce === null ? null : keyOfNonce({ ...message, nonce: nonce.value });

type ReadVerbs = Pick<MessageStore, "page" | "findMessage" | "listSince" | "findNewest">;

const readVerbs = (verb: Verb, roomOf: (groupId: number) => Messages): ReadVerbs => ({
  page: verb(({ groupId, before, limit }) => pageOf(roomOf(groupId), before, limit)),
  findMessage: verb((groupId, id) => {
    const room = roomOf(groupId);
    const message = room[placeOf(room, idOf, id)];
    return message?.id === id ? message : null;
  }),
  listSince: verb((asked) => since(Array.from(new Set(asked.groupIds), roomOf), asked)),
  findNewest: verb((groupIds, upTo = Number.MAX_SAFE_INTEGER) => {
    const newest = new Map<number, number>();
    for (const groupId of groupIds) {
      const room = roomOf(groupId);
      const last = room[placeOf(room, idOf, upTo + 1) - 1];
      if (last !== undefined) newest.set(groupId, last.id);
    }
    return newest;
  }),
});

type NetworkVerbs = Pick<
  MessageStore,
  "findNetworkMessage" | "listNetworkIds" | "listFiles" | "assignNumber" | "findPerson"
>;

const networkVerbs = (verb: Verb, kept: KeptMessages, roomOf: (groupId: number) => Messages): NetworkVerbs => ({
  findNetworkMessage: verb(({ account, groupId, messageId }) => {
    const known = kept.byNetwork.get(keyOfNetwork(account, groupId, messageId));
    return known === undefined ? null : asOfNow(kept, known.message);
  }),
  listNetworkIds: verb((groupId, id) => {
    const room = roomOf(groupId);
    return room[placeOf(room, idOf, id)]?.id === id ? [...(kept.networkIds.get(id) ?? [])] : [];
  }),
  listFiles: verb((groupId, id) => {
    const room = roomOf(groupId);
    return room[placeOf(room, idOf, id)]?.id === id ? [...(kept.files.get(id) ?? [])] : [];
  }),
  assignNumber: verb(({ network, ext }) => {
    const key = keyOfPair(network, ext);
    const number = kept.numbers.get(key) ?? kept.nextNumber();
    kept.numbers.set(key, number);
    kept.people.put(number, { number, network, ext });
    return number;
  }),
  findPerson: verb((number) => kept.people.find(number)),
});

/** A message as it is now: it may have been recalled since it was kept elsewhere. */
const asOfNow = ({ rooms }: KeptMessages, message: MessageRecord): MessageRecord =>
  rooms.get(message.groupId)?.[message.seq - 1] ?? message;

/** The first message that the account knows under one of the ids, and that is this one. */
const findKnown = (kept: KeptMessages, { message: { groupId }, network }: MessageAppend): MessageRecord | null => {
  for (const messageId of network?.messageIds ?? []) {
    const known = kept.byNetwork.get(keyOfNetwork(network?.account ?? "", groupId, messageId));
    if (known !== undefined && network?.isSame?.(asOfNow(kept, known.message), messageId) !== false)
      return known.message;
  }
  return null;
};

/** @param isNew ids of other messages move to a new one */
function keepIds(kept: KeptMessages, network: NetworkIds | null, message: MessageRecord, isNew: boolean): void {
  for (const botMessageId of network?.messageIds ?? []) {
    const account = network?.account ?? "";
    const isTaken = kept.byNetwork.has(keyOfNetwork(account, message.groupId, botMessageId));
    if (isNew || !isTaken) keepNetworkId(kept, { account, botMessageId, message });
  }
}

/** The result of {@link MessageStore.append} for a repeat, or null. */
function findRepeated(kept: KeptMessages, input: MessageAppend): MessageAppended | null {
  const { nonce, message, network } = input;
  const key = nonceKey(input);
  const first = key === null || nonce === null ? null : kept.nonces.find(key, message.receiveTime, nonce.life);
  if (first !== null && first.fingerprint !== nonce?.fingerprint) return { outcome: "nonce_conflict" };
  const known = first?.message ?? findKnown(kept, input);
  if (known === null) return null;
  keepIds(kept, network, known, false);
  if (first === null) keepNonce(kept, input, known);
  settleSent(kept.outbox, input.sent);
  return { outcome: "repeated", message: asOfNow(kept, known) };
}

function keepNonce({ nonces }: KeptMessages, input: MessageAppend, message: MessageRecord): void {
  const key = nonceKey(input);
  if (key === null || input.nonce === null) return;
  const { value, fingerprint } = input.nonce;
  const { userId, external, receiveTime } = input.message;
  nonces.keep(key, receiveTime, { userId, external, nonce: value, fingerprint, message });
}

function add(kept: KeptMessages, files: Files, input: MessageAppend): MessageRecord {
  const { groupId, receiveTime } = input.message;
  const room = kept.rooms.get(groupId) ?? [];
  const message = { ...input.message, id: kept.counter.next(), seq: room.length + 1 };
  room.push(message);
  kept.rooms.set(groupId, room);
  files.use({ md5s: input.files, attachments: input.attachments, now: receiveTime }, message);
  readOwn(kept.markers, message);
  const paths = input.attachments.map(({ relativePath }) => relativePath);
  if (paths.length > 0) kept.files.set(message.id, paths);
  keepNonce(kept, input, message);
  keepIds(kept, input.network, message, true);
  settleSent(kept.outbox, input.sent);
  kept.unindexed.set(message.id, message);
  return message;
}

const createKept = ({ message, networkPerson }: Counters): KeptMessages => ({
  rooms: new Map(),
  nonces: createNonces(),
  byNetwork: new Map(),
  networkIds: new Map(),
  files: new Map(),
  markers: createMarkers(),
  recalls: new Map(),
  outbox: createOutbox(),
  recalled: new Set(),
  terms: new Map(),
  unindexed: new Map(),
  outdated: new Map(),
  people: createNumbered<NetworkPerson>(networkPerson),
  numbers: new Map(),
  nextNumber: () => networkPerson.next(),
  counter: message,
});

/** Messages of chat rooms in memory: one list per room, so that a page is a slice. */
export function createMessageStore(
  verb: Verb,
  { files, counters, report }: { readonly files: Files; readonly counters: Counters; readonly report: Report },
): Kept<MessageStore, MessageKind> {
  const kept = createKept(counters);
  const roomOf = (groupId: number): Messages => kept.rooms.get(groupId) ?? [];
  const store: MessageStore = {
    append: verb((input) => {
      const repeated = findRepeated(kept, input);
      if (repeated !== null) return repeated;
      const md5 = files.findMissing(input.files);
      return md5 === null
        ? { outcome: "appended", message: add(kept, files, input) }
        : { outcome: "file_missing", md5 };
    }),
    recall: verb((asked) => recallMessage({ kept, files, report }, asked)),
    listRecalls: verb((asked) => recallsSince(kept.recalls, asked)),
    ...readVerbs(verb, roomOf),
    ...readingVerbs(verb, { markers: kept.markers, report }, roomOf),
    ...networkVerbs(verb, kept, roomOf),
    ...searchVerbs(verb, kept),
    ...outboxVerbs(verb, kept.outbox, (claim) => findSent(kept, claim)),
  };
  return { store, tables: tablesOf(kept) };
}
