import type { MessagePage, MessageRecord, MessagesSince, MessageStore } from "@telex/core/storage";
import type { Report } from "../stores/changes.ts";
import type { Counters } from "../engine/counters.ts";
import type { Files, Position } from "../stores/files.ts";
import type { Verb } from "../engine/gate.ts";
import { type MessageKind, tablesOf } from "./message-tables.ts";
import { type KeptMessages, keyOfNetwork, keyOfPair } from "./kept-messages.ts";
import { outboxVerbs } from "./outbox.ts";
import { readingVerbs } from "./reading.ts";
import { amendedSince, amendMessage } from "./amends.ts";
import { recallMessage, recallsSince } from "./recalls.ts";
import { searchVerbs } from "./search.ts";
import { lastBefore, indexOfKey } from "../engine/sorted.ts";
import type { Kept } from "../engine/tables.ts";
import { findSent, asOfNow, findRepeated, add, createKept } from "./append.ts";

type Messages = readonly MessageRecord[];

const idOf = ({ id }: MessageRecord): number => id;

function pageOf(messages: Messages, before: number | null, limit: number): MessagePage {
  const end = before === null ? messages.length : indexOfKey(messages, idOf, before);
  return {
    messages: lastBefore(messages, end, limit),
    newer: messages.length - end,
    older: Math.max(0, end - limit),
    above: messages[end + limit]?.id ?? null,
    newest: messages.at(-1)?.id ?? 0,
  };
}

const sizeOf = ({ content, pinyin }: MessageRecord): number => Buffer.byteLength(content) + Buffer.byteLength(pinyin);

/** All messages above an id, or null if there are too many or they are too large. */
function since(rooms: readonly Messages[], { after, limit, bytes }: MessagesSince): MessageRecord[] | null {
  const matches: MessageRecord[] = [];
  let size = 0;
  for (const room of rooms) {
    for (let at = indexOfKey(room, idOf, after + 1); at < room.length; at += 1) {
      const message = room[at];
      if (message === undefined) break;
      size += sizeOf(message);
      if (matches.length === limit || size > bytes) return null;
      matches.push(message);
    }
  }
  return matches.toSorted((a, b) => a.id - b.id);
}

type Using = Parameters<MessageStore["listUsing"]>[0];

const compare = (a: Position, b: Position): number => a.groupId - b.groupId || a.seq - b.seq;

/** The messages of some rooms that use a file, by room and position. */
function listUsing(
  files: Files,
  roomOf: (groupId: number) => Messages,
  { md5, groupIds, after, limit }: Using,
): Messages {
  const rooms = new Set(groupIds);
  return [...(files.find(md5)?.uses.values() ?? [])]
    .filter((position) => rooms.has(position.groupId) && compare(position, after) > 0)
    .toSorted(compare)
    .flatMap(({ groupId, seq }) => {
      const room = roomOf(groupId);
      return room[indexOfKey(room, (message) => message.seq, seq)] ?? [];
    })
    .slice(0, limit);
}

type ReadVerbs = Pick<MessageStore, "page" | "findMessage" | "listSince" | "findNewest">;

const readVerbs = (verb: Verb, roomOf: (groupId: number) => Messages): ReadVerbs => ({
  page: verb(({ groupId, before, limit }) => pageOf(roomOf(groupId), before, limit)),
  findMessage: verb((groupId, id) => {
    const room = roomOf(groupId);
    const message = room[indexOfKey(room, idOf, id)];
    return message?.id === id ? message : null;
  }),
  listSince: verb((request) => since(Array.from(new Set(request.groupIds), roomOf), request)),
  findNewest: verb((groupIds, upTo = Number.MAX_SAFE_INTEGER) => {
    const newest = new Map<number, number>();
    for (const groupId of groupIds) {
      const room = roomOf(groupId);
      const last = room[indexOfKey(room, idOf, upTo + 1) - 1];
      if (last !== undefined) newest.set(groupId, last.id);
    }
    return newest;
  }),
});

type NetworkVerbs = Pick<
  MessageStore,
  "findNetworkMessage" | "listNetworkIds" | "listFiles" | "assignNumber" | "findPerson"
>;

const networkVerbs = (verb: Verb, stored: KeptMessages, roomOf: (groupId: number) => Messages): NetworkVerbs => ({
  findNetworkMessage: verb(({ account, groupId, messageId }) => {
    const existing = stored.byNetwork.get(keyOfNetwork(account, groupId, messageId));
    return existing === undefined ? null : asOfNow(stored, existing.message);
  }),
  listNetworkIds: verb((groupId, id) => {
    const room = roomOf(groupId);
    return room[indexOfKey(room, idOf, id)]?.id === id ? [...(stored.networkIds.get(id) ?? [])] : [];
  }),
  listFiles: verb((groupId, id) => {
    const room = roomOf(groupId);
    return room[indexOfKey(room, idOf, id)]?.id === id ? [...(stored.files.get(id) ?? [])] : [];
  }),
  assignNumber: verb(({ network, ext }) => {
    const key = keyOfPair(network, ext);
    const number = stored.numbers.get(key) ?? stored.nextNumber();
    stored.numbers.set(key, number);
    stored.people.put(number, { number, network, ext });
    return number;
  }),
  findPerson: verb((number) => stored.people.find(number)),
});

/** Messages of chat rooms in memory: one list per room, so that a page is a slice. */
export function createMessageStore(
  verb: Verb,
  { files, counters, report }: { readonly files: Files; readonly counters: Counters; readonly report: Report },
): Kept<MessageStore, MessageKind> {
  const stored = createKept(counters);
  const roomOf = (groupId: number): Messages => stored.rooms.get(groupId) ?? [];
  const store: MessageStore = {
    append: verb((input) => {
      const repeated = findRepeated(stored, input);
      if (repeated !== null) return repeated;
      const md5 = files.findMissing(input.files);
      return md5 === null
        ? { outcome: "appended", message: add(stored, files, input) }
        : { outcome: "file_missing", md5 };
    }),
    recall: verb((request) => recallMessage({ kept: stored, files, report }, request)),
    amend: verb((request) => amendMessage(stored, report, request)),
    listAmended: verb((request) => amendedSince(stored, request)),
    listRecalls: verb((request) => recallsSince(stored.recalls, request)),
    listUsing: verb((page) => listUsing(files, roomOf, page)),
    ...readVerbs(verb, roomOf),
    ...readingVerbs(verb, stored, report),
    ...networkVerbs(verb, stored, roomOf),
    ...searchVerbs(verb, stored),
    ...outboxVerbs(verb, stored.outbox, (claim) => findSent(stored, claim)),
  };
  return { store, tables: tablesOf(stored) };
}
