import type {
  AttachmentRecord,
  MessageAppend,
  MessageAppended,
  MessageRecord,
  MessageStore,
} from "@telex/core/storage";
import type { StoreDeps } from "../stores/deps.ts";
import { plain, roomRoot } from "../driver/collections.ts";
import { idFor } from "../driver/documents.ts";
import { findMissing, useFiles } from "../stores/files.ts";
import { createAmendVerbs } from "./amends.ts";
import { createHistoryVerbs } from "./history.ts";
import { headOf, noticesWith } from "./heads.ts";
import type { Ids } from "../clock/ids.ts";
import { createNetworkVerbs, networkDocuments } from "./network.ts";
import { createOutboxVerbs, settleSent } from "./outbox.ts";
import { createReadingVerbs } from "./reading.ts";
import { createRecallVerbs } from "./recalls.ts";
import { createSearchVerbs } from "./search.ts";
import type { Tx } from "../driver/transaction.ts";
import type { Ref } from "../driver/ref.ts";
import { nonceId, networkKeys, keepIds, findRepeated, keepNonce } from "./message-nonces.ts";

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

/** Marks the room as read by the sender up to the message. The message is the newest one, so an existing marker is below. */
function readOwn(tx: Tx, { external, groupId, userId, seq, notice }: MessageRecord): void {
  if (external || notice !== null) return;
  tx.put("readMarkers", { _id: idFor([groupId, Number(userId)]), groupId, userId: Number(userId), seq });
}

async function add(tx: Tx, ids: Ids, input: MessageAppend): Promise<MessageRecord> {
  const { groupId } = input.message;
  const head = await headOf(tx, groupId);
  const id = await ids.next(tx, "message", head.newest);
  const { mentions = null, extras = null } = input.message;
  const message: MessageRecord = { ...input.message, mentions, seq: head.seq + 1, id, extras, changed: 0 };
  const notices = noticesWith(head, message);
  tx.put("heads", { ...head, ...notices, seq: message.seq, last: id, newest: id });
  tx.add("messages", { ...plain("messages", message), ...notices, terms: [], unindexed: true, edition: 1 });
  await useFiles(tx, { md5s: input.files, attachments: input.attachments, now: message.receiveTime }, message);
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

function createAppendVerb({ batches, ids, cleanup }: StoreDeps): Pick<MessageStore, "append"> {
  const run = batches.define<MessageAppend, MessageAppended>({
    call: { write: (message) => ({ message }), read: ({ message }) => message },
    result: { write: (message) => ({ message }), read: ({ message }) => message },
    root: ({ message }) => roomRoot(message.groupId),
    load: refsOf,
    bytes: ({ message }) => message.content.length + message.pinyin.length,
    run: (tx, input) => append(tx, ids, input),
  });
  return {
    append(input) {
      if (input.nonce !== null) cleanup.noteNonceLife("messageNonces", input.nonce.life);
      return run(copyOf(input));
    },
  };
}

/** Messages of chat rooms. */
export const createMessageStore = (deps: StoreDeps): MessageStore => ({
  ...createAppendVerb(deps),
  ...createHistoryVerbs(deps),
  ...createNetworkVerbs(deps),
  ...createReadingVerbs(deps),
  ...createRecallVerbs(deps),
  ...createAmendVerbs(deps),
  ...createSearchVerbs(deps),
  ...createOutboxVerbs(deps),
});
