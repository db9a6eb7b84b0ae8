import type { MessageAppend, MessageAppended, MessageRecord, NetworkKey } from "@telex/core/storage";
import { type DocumentId, type Documents, idFor, recordOf } from "../driver/documents.ts";
import { touchHead } from "./heads.ts";
import { findNetworkId, putNetworkId } from "./network.ts";
import { settleSent } from "./outbox.ts";
import type { Tx } from "../driver/transaction.ts";

type MessageDocument = Documents["messages"];

export function nonceId({ message, nonce }: MessageAppend): DocumentId | null {
  return nonce === null ? null : idFor([message.groupId, message.userId, message.external, nonce.value]);
}

/** The ids of a message in its network, with its room. */
export const networkKeys = ({
  message: { groupId },
  network,
}: Pick<MessageAppend, "message" | "network">): NetworkKey[] =>
  (network?.messageIds ?? []).map((messageId) => ({ account: network?.account ?? "", groupId, messageId }));

/** The message at a position. It must exist. */
async function messageAt(tx: Tx, groupId: number, seq: number): Promise<MessageDocument> {
  const message = await tx.find("messages", idFor([groupId, seq]));
  if (message === null) throw new Error(`A record names message ${seq} of room ${groupId}, which does not exist.`);
  return message;
}

/** The first message that the account has stored under one of the ids, and that is the same message. */
async function findKnown(tx: Tx, input: MessageAppend): Promise<MessageDocument | null> {
  for (const key of networkKeys(input)) {
    const position = await findNetworkId(tx, key);
    const existing = position === null ? null : await messageAt(tx, position.groupId, position.seq);
    if (existing !== null && input.network?.isSame?.(recordOf("messages", existing), key.messageId) !== false)
      return existing;
  }
  return null;
}

/**
 * Stores the network ids of this message, so that the account finds the message under each of them.
 * @param isNew a new message takes over the ids of other messages
 */
export async function keepIds(tx: Tx, input: MessageAppend, { seq }: MessageRecord, isNew: boolean): Promise<void> {
  for (const key of networkKeys(input)) {
    const { account, groupId, messageId: botMessageId } = key;
    const isTaken = (await findNetworkId(tx, key)) !== null;
    if (isNew || !isTaken) await putNetworkId(tx, { account, botMessageId, groupId, seq });
  }
}

/** The result of an append that repeats another, or null. */
export async function findRepeated(tx: Tx, input: MessageAppend): Promise<MessageAppended | null> {
  const { nonce, message } = input;
  const id = nonceId(input);
  const stored = id === null ? null : await tx.find("messageNonces", id);
  const first = stored !== null && message.receiveTime - stored.at < (nonce?.life ?? 0) ? stored : null;
  if (first !== null && first.fingerprint !== nonce?.fingerprint) return { outcome: "nonce_conflict" };
  const existing = first === null ? await findKnown(tx, input) : await messageAt(tx, first.groupId, first.seq);
  if (existing === null) return null;
  await keepIds(tx, input, existing, false);
  if (first === null) await keepLater(tx, input, existing);
  await settleSent(tx, input.sent);
  return { outcome: "repeated", message: recordOf("messages", existing) };
}

export function keepNonce(tx: Tx, input: MessageAppend, { seq }: MessageRecord): void {
  const id = nonceId(input);
  if (id === null || input.nonce === null) return;
  const { groupId, userId, external, receiveTime } = input.message;
  const { value, fingerprint } = input.nonce;
  tx.put("messageNonces", { _id: id, groupId, userId, external, nonce: value, fingerprint, seq, at: receiveTime });
}

/** Stores a nonce that comes after its message. Writes the head, so that a claim of a bot that did not find the nonce conflicts. */
async function keepLater(tx: Tx, input: MessageAppend, known: MessageRecord): Promise<void> {
  if (input.nonce === null) return;
  keepNonce(tx, input, known);
  await touchHead(tx, input.message.groupId);
}
