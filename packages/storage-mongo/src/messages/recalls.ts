import type { MessageRecall, MessageRecalled, MessageRecord, MessageStore, Recall } from "@telex/core/storage";
import type { StoreDeps } from "../stores/deps.ts";
import { collectionOf, plain, roomRoot } from "../driver/collections.ts";
import { type Documents, recordOf } from "../driver/documents.ts";
import { releaseFiles } from "../stores/files.ts";
import type { Ids } from "../clock/ids.ts";
import { partsOf } from "../stores/parts.ts";
import type { Tx } from "../driver/transaction.ts";

type RecallVerbs = Pick<MessageStore, "recall" | "listRecalls">;

function refusalOf({ operatorId, ownSince }: MessageRecall, message: MessageRecord): "not_owner" | "too_late" | null {
  if (ownSince === null) return null;
  if (message.external || message.userId !== operatorId) return "not_owner";
  return message.receiveTime < ownSince ? "too_late" : null;
}

const recallOf = (document: Documents["messageRecalls"]): Recall => ({
  ...recordOf("messageRecalls", document),
  messageId: document.messageId,
});

/** Removes the content of a message. Also writes the head of the room, so it conflicts with other verbs of the room. */
async function empty(
  tx: Tx,
  ids: Ids,
  asked: MessageRecall,
  { unindexed: _unindexed, ...before }: Documents["messages"],
): Promise<MessageRecalled> {
  const { groupId, operatorId, external, content, pinyin } = asked;
  const { seq, id: messageId } = before;
  const message: Documents["messages"] = {
    ...before,
    type: 0,
    content,
    pinyin,
    mentions: null,
    extras: null,
    terms: [],
    isRecalled: true,
  };
  tx.put("messages", message);
  const head = await tx.find("heads", groupId);
  if (head === null) throw new Error(`Room ${groupId} has messages, but no head.`);
  const id = await ids.next(tx, "message", head.newest);
  tx.put("heads", { ...head, newest: id });
  const stored = plain("messageRecalls", { id, groupId, seq, operatorId, external });
  tx.add("messageRecalls", { ...stored, messageId });
  await releaseFiles(tx, { groupId, seq });
  tx.report("recall", `${groupId}/${id}`);
  return { outcome: "recalled", message: recordOf("messages", message), recall: recallOf({ ...stored, messageId }) };
}

async function recall(tx: Tx, ids: Ids, asked: MessageRecall): Promise<MessageRecalled> {
  const { groupId, messageId } = asked;
  const [message] = await tx.list("messages", { groupId, id: messageId }, { limit: 1 });
  if (message === undefined) return { outcome: "missing" };
  const refusal = refusalOf(asked, message);
  if (refusal === "not_owner") return { outcome: refusal };
  const [before] = await tx.list("messageRecalls", { groupId, messageId }, { limit: 1 });
  if (before !== undefined)
    return { outcome: "repeated", message: recordOf("messages", message), recall: recallOf(before) };
  return refusal === null ? empty(tx, ids, asked, message) : { outcome: refusal };
}

export const createRecallVerbs = ({ db, batches: { write, single }, ids }: StoreDeps): RecallVerbs => ({
  // In the queue of the room's messages, so that it does not conflict with them in the database.
  recall: ({ ...asked }) => write(roomRoot(asked.groupId), (tx) => recall(tx, ids, asked)),
  listRecalls: ({ groupIds, after, limit }) =>
    single(async () => {
      const matches: Documents["messageRecalls"][] = [];
      for (const rooms of partsOf(groupIds)) {
        const filter = { groupId: { $in: rooms }, id: { $gt: after } };
        const options = { sort: { id: 1 }, limit: limit - matches.length + 1 } as const;
        matches.push(...(await collectionOf(db, "messageRecalls").find(filter, options).toArray()));
        if (matches.length > limit) return null;
      }
      return matches.toSorted((a, b) => a.id - b.id).map(recallOf);
    }),
});
