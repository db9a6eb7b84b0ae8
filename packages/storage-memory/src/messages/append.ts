import type {
  MessageAppend,
  MessageAppended,
  MessageRecord,
  NetworkIds,
  NetworkPerson,
  SendClaim,
} from "@telex/core/storage";
import type { Counters } from "../engine/counters.ts";
import type { Files } from "../stores/files.ts";
import { type KeptMessages, keyOfNonce, keepNetworkId, keyOfNetwork, noteNotice } from "./kept-messages.ts";
import { createNonces } from "../engine/nonces.ts";
import { createNumbered } from "../engine/numbered.ts";
import { createOutbox, settleSent } from "./outbox.ts";
import { createMarkers, readOwn } from "./reading.ts";

/** The message stored under the nonce of a claim: null without one, or `conflict` if its content differs. */
export function findSent(
  stored: KeptMessages,
  { groupId, userId, nonce, at }: SendClaim,
): MessageRecord | "conflict" | null {
  if (nonce === null) return null;
  const key = keyOfNonce({ groupId, userId, external: false, nonce: nonce.value });
  const first = stored.nonces.find(key, at, nonce.life);
  if (first === null) return null;
  return first.fingerprint === nonce.fingerprint ? asOfNow(stored, first.message) : "conflict";
}

const nonceKey = ({ message, nonce }: MessageAppend): string | null =>
  nonce === null ? null : keyOfNonce({ ...message, nonce: nonce.value });

/** The current version of a message, which may have been edited or recalled since. */
export const asOfNow = ({ rooms }: KeptMessages, message: MessageRecord): MessageRecord =>
  rooms.get(message.groupId)?.[message.seq - 1] ?? message;

/** The first message that the account has stored under one of the ids, and that is the same message. */
const findKnown = (stored: KeptMessages, { message: { groupId }, network }: MessageAppend): MessageRecord | null => {
  for (const messageId of network?.messageIds ?? []) {
    const existing = stored.byNetwork.get(keyOfNetwork(network?.account ?? "", groupId, messageId));
    if (existing !== undefined && network?.isSame?.(asOfNow(stored, existing.message), messageId) !== false)
      return existing.message;
  }
  return null;
};

/** @param isNew a new message takes over the ids of other messages */
function keepIds(stored: KeptMessages, network: NetworkIds | null, message: MessageRecord, isNew: boolean): void {
  for (const botMessageId of network?.messageIds ?? []) {
    const account = network?.account ?? "";
    const isTaken = stored.byNetwork.has(keyOfNetwork(account, message.groupId, botMessageId));
    if (isNew || !isTaken) keepNetworkId(stored, { account, botMessageId, message });
  }
}

/** The result of {@link MessageStore.append} for a repeat, or null. */
export function findRepeated(stored: KeptMessages, input: MessageAppend): MessageAppended | null {
  const { nonce, message, network } = input;
  const key = nonceKey(input);
  const first = key === null || nonce === null ? null : stored.nonces.find(key, message.receiveTime, nonce.life);
  if (first !== null && first.fingerprint !== nonce?.fingerprint) return { outcome: "nonce_conflict" };
  const existing = first?.message ?? findKnown(stored, input);
  if (existing === null) return null;
  keepIds(stored, network, existing, false);
  if (first === null) keepNonce(stored, input, existing);
  settleSent(stored.outbox, input.sent);
  return { outcome: "repeated", message: asOfNow(stored, existing) };
}

function keepNonce({ nonces }: KeptMessages, input: MessageAppend, message: MessageRecord): void {
  const key = nonceKey(input);
  if (key === null || input.nonce === null) return;
  const { value, fingerprint } = input.nonce;
  const { userId, external, receiveTime } = input.message;
  nonces.keep(key, receiveTime, { userId, external, nonce: value, fingerprint, message });
}

function addToRoom({ rooms, counter }: KeptMessages, fields: MessageAppend["message"]): MessageRecord {
  const room = rooms.get(fields.groupId) ?? [];
  const { mentions = null, extras = null } = fields;
  const message = { ...fields, id: counter.next(), seq: room.length + 1, mentions, extras, changed: 0 };
  rooms.set(fields.groupId, room);
  room.push(message);
  return message;
}

export function add(stored: KeptMessages, files: Files, input: MessageAppend): MessageRecord {
  const message = addToRoom(stored, input.message);
  files.use({ md5s: input.files, attachments: input.attachments, now: message.receiveTime }, message);
  noteNotice(stored, message);
  readOwn(stored.markers, message);
  const paths = input.attachments.map(({ relativePath }) => relativePath);
  if (paths.length > 0) stored.files.set(message.id, paths);
  keepNonce(stored, input, message);
  keepIds(stored, input.network, message, true);
  settleSent(stored.outbox, input.sent);
  stored.unindexed.set(message.id, message);
  return message;
}

export const createKept = ({ message, networkPerson }: Counters): KeptMessages => ({
  rooms: new Map(),
  nonces: createNonces(),
  byNetwork: new Map(),
  networkIds: new Map(),
  files: new Map(),
  markers: createMarkers(),
  notices: new Map(),
  recalls: new Map(),
  outbox: createOutbox(),
  amended: new Map(),
  recalled: new Set(),
  terms: new Map(),
  unindexed: new Map(),
  outdated: new Map(),
  people: createNumbered<NetworkPerson>(networkPerson),
  numbers: new Map(),
  nextNumber: () => networkPerson.next(),
  counter: message,
});
