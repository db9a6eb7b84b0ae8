import type { MessageRecord, NetworkId, NetworkPerson, Recall, Records } from "@telex/core/storage";
import type { Counter } from "../engine/counters.ts";
import { putSorted } from "../engine/sorted.ts";
import type { Nonces } from "../engine/nonces.ts";
import type { Numbered } from "../engine/numbered.ts";
import type { Outbox } from "./outbox.ts";
import type { Markers } from "./reading.ts";

export type NonceRecord = Records["messageNonces"];

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
export interface Nonce extends Pick<NonceRecord, "userId" | "external" | "nonce" | "fingerprint"> {
  readonly message: MessageRecord;
}

/** A message that an account of an external network knows. */
interface NetworkMessage {
  readonly account: string;
  readonly botMessageId: string;
  readonly message: MessageRecord;
}

/** Stores an id of a message in a network. */
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

/** Notes the position of a message if it is a notice. */
export function noteNotice({ notices }: Pick<KeptMessages, "notices">, { groupId, seq, notice }: MessageRecord): void {
  if (notice === null) return;
  const ofRoom = notices.get(groupId) ?? [];
  putSorted(ofRoom, (at) => at, seq);
  notices.set(groupId, ofRoom);
}

/** The messages of all rooms. */
export interface KeptMessages {
  readonly rooms: Map<number, MessageRecord[]>;
  readonly nonces: Nonces<Nonce>;
  readonly byNetwork: Map<string, NetworkMessage>;
  /** The network ids of messages, by the messages' ids. */
  readonly networkIds: Map<number, NetworkId[]>;
  /** The paths of the attachments of messages, by the messages' ids. */
  readonly files: Map<number, string[]>;
  readonly markers: Markers;
  /** The positions of the notices of each room, in order. */
  readonly notices: Map<number, number[]>;
  /** The recalls of each room, by id. */
  readonly recalls: Map<number, Recall[]>;
  /** The positions of the messages of each room that were edited or reacted to. */
  readonly amended: Map<number, Set<number>>;
  /** The ids of recalled messages. */
  readonly recalled: Set<number>;
  /** The terms of messages, by the messages' ids. */
  readonly terms: Map<number, Uint32Array>;
  /** The messages without terms, by their ids. */
  readonly unindexed: Map<number, MessageRecord>;
  /** The messages that were imported as records, by their ids: another version may have stored them. */
  readonly outdated: Map<number, MessageRecord>;
  readonly outbox: Outbox;
  readonly people: Numbered<NetworkPerson>;
  /** The numbers of people, by network and ID. */
  readonly numbers: Map<string, number>;
  readonly nextNumber: () => number;
  readonly counter: Counter;
}
