import type { MessageRecord, NetworkId, NetworkPerson, Recall, Records } from "@telex/core/storage";
import type { Counter } from "../engine/counters.ts";
import type { Nonces } from "../engine/nonces.ts";
import type { Numbered } from "../engine/numbered.ts";
import type { Outbox } from "./outbox.ts";
import { type Markers, readOwn } from "./reading.ts";
import { putSorted } from "../engine/sorted.ts";
import type { Tables } from "../engine/tables.ts";

type NonceRecord = Records["messageNonces"];

/** The key of a nonce: a sender has its own in each room. */
export const keyOfNonce = ({
  external,
  userId,
  groupId,
  nonce,
}: Pick<NonceRecord, "external" | "userId" | "groupId" | "nonce">): string =>
  JSON.stringify([external, userId, groupId, nonce]);

/** The key of a message that an account of an external network knows. */
export const keyOfNetwork = (account: string, groupId: number, messageId: string): string =>
  JSON.stringify([account, groupId, messageId]);

/** The key of a value with two names. The second name is valid within the first. */
export const keyOfPair = (first: string, second: string): string => JSON.stringify([first, second]);

/** A nonce, its user, and the message sent with it. */
interface Nonce extends Pick<NonceRecord, "userId" | "external" | "nonce" | "fingerprint"> {
  readonly message: MessageRecord;
}

/** A message that an account of an external network knows. */
interface NetworkMessage {
  readonly account: string;
  readonly botMessageId: string;
  readonly message: MessageRecord;
}

/** Keeps an id of a message in a network. */
export function keepNetworkId({ byNetwork, networkIds }: KeptMessages, known: NetworkMessage): void {
  const { account, botMessageId, message } = known;
  const key = keyOfNetwork(account, message.groupId, botMessageId);
  const before = byNetwork.get(key)?.message.id;
  if (before === message.id) return;
  const isThis = (one: NetworkId): boolean => one.account === account && one.messageId === botMessageId;
  if (before !== undefined) networkIds.set(before, networkIds.get(before)?.filter((one) => !isThis(one)) ?? []);
  byNetwork.set(key, known);
  networkIds.set(message.id, [...(networkIds.get(message.id) ?? []), { account, messageId: botMessageId }]);
}

/** The messages of all rooms. */
export interface KeptMessages {
  readonly rooms: Map<number, MessageRecord[]>;
  readonly nonces: Nonces<Nonce>;
  readonly byNetwork: Map<string, NetworkMessage>;
  /** The same, by the messages' ids. */
  readonly networkIds: Map<number, NetworkId[]>;
  /** The paths of the attachments of messages, by the messages' ids. */
  readonly files: Map<number, string[]>;
  readonly markers: Markers;
  /** The recalls of each room, by id. */
  readonly recalls: Map<number, Recall[]>;
  /** The ids of the messages that were recalled. */
  readonly recalled: Set<number>;
  /** The terms of messages, by the messages' ids. */
  readonly terms: Map<number, Uint32Array>;
  /** The messages without terms, by their ids. */
  readonly unindexed: Map<number, MessageRecord>;
  /** The messages that were put as records, by their ids: another version may have stored them. */
  readonly outdated: Map<number, MessageRecord>;
  readonly outbox: Outbox;
  readonly people: Numbered<NetworkPerson>;
  /** The numbers of people, by network and ID. */
  readonly numbers: Map<string, number>;
  readonly nextNumber: () => number;
  readonly counter: Counter;
}

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

const tableOfMessages = ({
  rooms,
  markers,
  counter,
  terms,
  unindexed,
  outdated,
}: KeptMessages): Tables["messages"] => ({
  *all() {
    for (const messages of rooms.values()) yield* messages;
  },
  put(message) {
    const room = rooms.get(message.groupId) ?? [];
    room[message.seq - 1] = { ...message };
    terms.delete(message.id);
    unindexed.set(message.id, { ...message });
    outdated.set(message.id, { ...message });
    rooms.set(message.groupId, room);
    readOwn(markers, message);
    counter.raise(message.id);
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
      for (const [position, relativePath] of (files.get(id) ?? []).entries()) {
        yield { groupId, seq, position, relativePath };
      }
    }
  },
  put({ groupId, seq, position, relativePath }) {
    const { id } = messageAt(groupId, seq);
    const paths = files.get(id) ?? [];
    paths[position] = relativePath;
    files.set(id, paths);
  },
});

const tableOfNetworkMessages = (kept: KeptMessages, messageAt: MessageAt): Tables["botMessages"] => ({
  all: () =>
    kept.byNetwork.values().map(({ account, botMessageId, message: { groupId, seq } }) => ({
      account,
      botMessageId,
      groupId,
      seq,
    })),
  put({ account, botMessageId, groupId, seq }) {
    keepNetworkId(kept, { account, botMessageId, message: messageAt(groupId, seq) });
  },
});

const tableOfPeople = ({ people, numbers }: KeptMessages): Tables["networkPeople"] => ({
  all: people.all,
  put(person) {
    people.put(person.number, { ...person });
    numbers.set(keyOfPair(person.network, person.ext), person.number);
  },
});

/** Messages of chat rooms as records. */
export function tablesOf(kept: KeptMessages): Tables<MessageKind> {
  const messageAt: MessageAt = (groupId, seq) => {
    const message = kept.rooms.get(groupId)?.[seq - 1];
    if (message === undefined) throw new Error(`There is no message ${seq} in room ${groupId} for what names it.`);
    return message;
  };
  return {
    messages: tableOfMessages(kept),
    messageNonces: tableOfNonces(kept, messageAt),
    messageFiles: tableOfFiles(kept, messageAt),
    readMarkers: kept.markers.table,
    messageRecalls: tableOfRecalls(kept, messageAt),
    botMessages: tableOfNetworkMessages(kept, messageAt),
    networkPeople: tableOfPeople(kept),
    outbox: kept.outbox.table,
  };
}

const nonceRecord = ({ message: { groupId, seq }, ...kept }: Nonce, at: number): NonceRecord => ({
  ...kept,
  groupId,
  seq,
  at,
});
