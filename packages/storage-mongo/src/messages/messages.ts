import type {
  AttachmentRecord,
  MessageAppend,
  MessageAppended,
  MessageRecord,
  MessageStore,
  NetworkKey,
} from "@telex/core/storage";
import type { StoreDeps } from "../stores/deps.ts";
import { plain, roomRoot } from "../driver/collections.ts";
import { type DocumentId, type Documents, idFor, recordOf } from "../driver/documents.ts";
import { findMissing, useFiles } from "../stores/files.ts";
import { createHistoryVerbs } from "./history.ts";
import { headOf, touchHead } from "./heads.ts";
import type { Ids } from "../clock/ids.ts";
import { createNetworkVerbs, findNetworkId, networkDocuments, putNetworkId } from "./network.ts";
import { createOutboxVerbs, settleSent } from "./outbox.ts";
import { createReadingVerbs } from "./reading.ts";
import { createRecallVerbs } from "./recalls.ts";
import { createSearchVerbs } from "./search.ts";
import type { Tx } from "../driver/transaction.ts";
import type { Ref } from "../driver/ref.ts";

type MessageDocument = Documents["messages"];

function nonceId({ message, nonce }: MessageAppend): DocumentId | null {
  return nonce === null ? null : idFor([message.groupId, message.userId, message.external, nonce.value]);
}

/** The ids of a message in its network, with its room. */
const networkKeys = ({ message: { groupId }, network }: Pick<MessageAppend, "message" | "network">): NetworkKey[] =>
  (network?.messageIds ?? []).map((messageId) => ({ account: network?.account ?? "", groupId, messageId }));

/** The documents that an append reads. */
function refsOf(input: MessageAppend): Ref[] {
  const { message, files, sent } = input;
  const nonce = nonceId(input);
  return [
    { name: "heads", id: message.groupId, guess: "kept" },
    ...(nonce === null ? [] : [{ name: "messageNonces", id: nonce, guess: "absent" } as const]),
    ...files.map((id): Ref => ({ name: "files", id })),
    ...networkKeys(input)
      .flatMap(networkDocuments)
      .map((id): Ref => ({ name: "botMessages", id })),
    ...(sent === null ? [] : [{ name: "outbox", id: sent.id } as const]),
  ];
}

/** The message at a place, which exists. */
async function messageAt(tx: Tx, groupId: number, seq: number): Promise<MessageDocument> {
  const message = await tx.find("messages", idFor([groupId, seq]));
  if (message === null) throw new Error(`There is no message ${seq} in room ${groupId} for what names it.`);
  return message;
}

/** The first message that the account knows under one of the ids, and that is this one. */
async function findKnown(tx: Tx, input: MessageAppend): Promise<MessageDocument | null> {
  for (const key of networkKeys(input)) {
    const place = await findNetworkId(tx, key);
    const known = place === null ? null : await messageAt(tx, place.groupId, place.seq);
    if (known !== null && input.network?.isSame?.(recordOf("messages", known), key.messageId) !== false) return known;
  }
  return null;
}

/**
 * From now on, the account knows a message under the ids that came with this one.
 * @param isNew ids of other messages move to a new one
 */
async function keepIds(tx: Tx, input: MessageAppend, { seq }: MessageRecord, isNew: boolean): Promise<void> {
  for (const key of networkKeys(input)) {
    const { account, groupId, messageId: botMessageId } = key;
    const isTaken = (await findNetworkId(tx, key)) !== null;
    if (isNew || !isTaken) await putNetworkId(tx, { account, botMessageId, groupId, seq });
  }
}

/** The result of an append that repeats another, or null. */
async function findRepeated(tx: Tx, input: MessageAppend): Promise<MessageAppended | null> {
  const { nonce, message } = input;
  const id = nonceId(input);
  const kept = id === null ? null : await tx.find("messageNonces", id);
  const first = kept !== null && message.receiveTime - kept.at < (nonce?.life ?? 0) ? kept : null;
  if (first !== null && first.fingerprint !== nonce?.fingerprint) return { outcome: "nonce_conflict" };
  const known = first === null ? await findKnown(tx, input) : await messageAt(tx, first.groupId, first.seq);
  if (known === null) return null;
  await keepIds(tx, input, known, false);
  if (first === null) await keepLater(tx, input, known);
  await settleSent(tx, input.sent);
  return { outcome: "repeated", message: recordOf("messages", known) };
}

/** The sender has read the room up to the message. It is the newest one, so a marker that is there is below. */
function readOwn(tx: Tx, { external, groupId, userId, seq }: MessageRecord): void {
  if (external) return;
  tx.put("readMarkers", { _id: idFor([groupId, Number(userId)]), groupId, userId: Number(userId), seq });
}

/** From now on the nonce stands for a message. */
function keepNonce(tx: Tx, input: MessageAppend, { seq }: MessageRecord): void {
  const id = nonceId(input);
  if (id === null || input.nonce === null) return;
  const { groupId, userId, external, receiveTime } = input.message;
  const { value, fingerprint } = input.nonce;
  tx.put("messageNonces", { _id: id, groupId, userId, external, nonce: value, fingerprint, seq, at: receiveTime });
}

/** A nonce that comes after its message: a claim of a bot that has not found it conflicts at the head. */
async function keepLater(tx: Tx, input: MessageAppend, known: MessageRecord): Promise<void> {
  if (input.nonce === null) return;
  keepNonce(tx, input, known);
  await touchHead(tx, input.message.groupId);
}

async function add(tx: Tx, ids: Ids, input: MessageAppend): Promise<MessageRecord> {
  const { groupId } = input.message;
  const head = await headOf(tx, groupId);
  const id = await ids.next(tx, "message", head.newest);
  const message: MessageRecord = { ...input.message, seq: head.seq + 1, id };
  tx.put("heads", { ...head, seq: message.seq, last: id, newest: id });
  tx.add("messages", { ...plain("messages", message), terms: [], unindexed: true, edition: 1 });
  const used = { md5s: input.files, attachments: input.attachments, now: message.receiveTime };
  await useFiles(tx, used, message);
  readOwn(tx, message);
  keepNonce(tx, input, message);
  await keepIds(tx, input, message, true);
  await settleSent(tx, input.sent);
  return message;
}

async function append(tx: Tx, ids: Ids, input: MessageAppend): Promise<MessageAppended> {
  const repeated = await findRepeated(tx, input);
  if (repeated !== null) return repeated;
  const md5 = await findMissing(tx, input.files);
  if (md5 !== null) return { outcome: "file_missing", md5 };
  return { outcome: "appended", message: await add(tx, ids, input) };
}

/** The caller may change its lists while the append waits for its turn. */
const copyOf = (input: MessageAppend): MessageAppend => ({
  ...input,
  message: { ...input.message },
  files: [...input.files],
  attachments: input.attachments.map((one): AttachmentRecord => ({ ...one })),
  network: input.network === null ? null : { ...input.network, messageIds: [...input.network.messageIds] },
  sent: input.sent === null ? null : { ...input.sent },
});

/** Messages of chat rooms. */
export function createMessageStore(deps: StoreDeps): MessageStore {
  const { batches, ids, forgetting } = deps;
  return {
    append(input) {
      if (input.nonce !== null) forgetting.noteNonceLife("messageNonces", input.nonce.life);
      const own = copyOf(input);
      const { content, pinyin, groupId } = own.message;
      const bytes = content.length + pinyin.length;
      return batches.write(roomRoot(groupId), (tx) => append(tx, ids, own), { load: refsOf(own), bytes });
    },
    ...createHistoryVerbs(deps),
    ...createNetworkVerbs(deps),
    ...createReadingVerbs(deps),
    ...createRecallVerbs(deps),
    ...createSearchVerbs(deps),
    ...createOutboxVerbs(deps),
  };
}
