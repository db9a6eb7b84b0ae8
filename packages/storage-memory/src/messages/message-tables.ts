import type { MessageRecord } from "@telex/core/storage";
import { noteAmended } from "./amends.ts";
import { readOwn } from "./reading.ts";
import { putSorted } from "../engine/sorted.ts";
import type { Tables } from "../engine/tables.ts";
import {
  type NonceRecord,
  keyOfNonce,
  keyOfPair,
  type Nonce,
  keepNetworkId,
  type KeptMessages,
  noteNotice,
} from "./kept-messages.ts";

/** The kinds of records in {@link KeptMessages}. */
export type MessageKind =
  | "messages"
  | "messageNonces"
  | "messageFiles"
  | "readMarkers"
  | "messageRecalls"
  | "botMessages"
  | "networkPeople"
  | "outbox";

type MessageAt = (groupId: number, seq: number) => MessageRecord;

const tableOfMessages = (stored: KeptMessages): Tables["messages"] => ({
  *all() {
    for (const messages of stored.rooms.values()) yield* messages;
  },
  put(message) {
    const { rooms, markers, counter, terms, unindexed, outdated } = stored;
    const room = rooms.get(message.groupId) ?? [];
    room[message.seq - 1] = { ...message };
    terms.delete(message.id);
    unindexed.set(message.id, { ...message });
    outdated.set(message.id, { ...message });
    rooms.set(message.groupId, room);
    noteNotice(stored, message);
    noteAmended(stored, message);
    readOwn(markers, message);
    counter.raise(Math.max(message.id, message.changed));
  },
});

const tableOfRecalls = (
  { recalls, recalled, counter }: KeptMessages,
  messageAt: MessageAt,
): Tables["messageRecalls"] => ({
  *all() {
    for (const { messageId: _messageId, ...record } of [...recalls.values()].flat()) yield record;
  },
  put(record) {
    const room = recalls.get(record.groupId) ?? [];
    const messageId = messageAt(record.groupId, record.seq).id;
    putSorted(room, ({ id }) => id, { ...record, messageId });
    recalls.set(record.groupId, room);
    recalled.add(messageId);
    counter.raise(record.id);
  },
});

const tableOfNonces = ({ nonces }: KeptMessages, messageAt: MessageAt): Tables["messageNonces"] => ({
  *all() {
    for (const [, { at, value }] of nonces.all()) yield nonceRecord(value, at);
  },
  put(record) {
    const { userId, external, nonce, fingerprint } = record;
    const message = messageAt(record.groupId, record.seq);
    nonces.put(keyOfNonce(record), record.at, { userId, external, nonce, fingerprint, message });
  },
});

const tableOfFiles = ({ rooms, files }: KeptMessages, messageAt: MessageAt): Tables["messageFiles"] => ({
  *all() {
    for (const { groupId, seq, id } of [...rooms.values()].flat()) {
      for (const [position, relativePath] of (files.get(id) ?? []).entries())
        yield { groupId, seq, position, relativePath };
    }
  },
  put({ groupId, seq, position, relativePath }) {
    const { id } = messageAt(groupId, seq);
    const paths = files.get(id) ?? [];
    paths[position] = relativePath;
    files.set(id, paths);
  },
});

const tableOfNetworkMessages = (stored: KeptMessages, messageAt: MessageAt): Tables["botMessages"] => ({
  all: () =>
    stored.byNetwork.values().map(({ account, botMessageId, message: { groupId, seq } }) => ({
      account,
      botMessageId,
      groupId,
      seq,
    })),
  put({ account, botMessageId, groupId, seq }) {
    keepNetworkId(stored, { account, botMessageId, message: messageAt(groupId, seq) });
  },
});

const tableOfPeople = ({ people, numbers }: KeptMessages): Tables["networkPeople"] => ({
  all: people.all,
  put(person) {
    people.put(person.number, { ...person });
    numbers.set(keyOfPair(person.network, person.ext), person.number);
  },
});

const createMessageAt =
  (stored: KeptMessages): MessageAt =>
  (groupId, seq) => {
    const message = stored.rooms.get(groupId)?.[seq - 1];
    if (message === undefined)
      throw new Error(`A record names message ${seq} of room ${groupId}, which does not exist.`);
    return message;
  };

/** Messages of chat rooms as records. */
export function tablesOf(stored: KeptMessages): Tables<MessageKind> {
  const messageAt = createMessageAt(stored);
  return {
    messages: tableOfMessages(stored),
    messageNonces: tableOfNonces(stored, messageAt),
    messageFiles: tableOfFiles(stored, messageAt),
    readMarkers: stored.markers.table,
    messageRecalls: tableOfRecalls(stored, messageAt),
    botMessages: tableOfNetworkMessages(stored, messageAt),
    networkPeople: tableOfPeople(stored),
    outbox: stored.outbox.table,
  };
}

const nonceRecord = ({ message: { groupId, seq }, ...kept }: Nonce, at: number): NonceRecord => ({
  ...kept,
  groupId,
  seq,
  at,
});
