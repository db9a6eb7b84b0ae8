import type { MessageAmend, MessageAmended, MessageAmendment, MessageRecord, MessageStore } from "@telex/core/storage";
import type { StoreDeps } from "../stores/deps.ts";
import { collectionOf, recordsOf, roomRoot } from "../driver/collections.ts";
import { type Documents, recordOf } from "../driver/documents.ts";
import { headOf } from "./heads.ts";
import type { Ids } from "../clock/ids.ts";
import { partsOf } from "../stores/parts.ts";
import type { Tx } from "../driver/transaction.ts";

type AmendVerbs = Pick<MessageStore, "amend" | "listAmended">;

function withTexts(
  { unindexed: _unindexed, ...rest }: Documents["messages"],
  { terms, ...texts }: NonNullable<MessageAmendment["texts"]>,
) {
  return { ...rest, ...texts, terms: [...new Set(terms)], edition: 2 as const };
}

/** Writes the changed message. Also writes the head of the room, so it conflicts with other verbs of the room. */
async function change(
  tx: Tx,
  ids: Ids,
  before: Documents["messages"],
  { texts, extras }: MessageAmendment,
): Promise<MessageRecord> {
  const { groupId } = before;
  const head = await headOf(tx, groupId);
  const changed = await ids.next(tx, "message", head.newest);
  tx.put("heads", { ...head, newest: changed });
  const message = { ...(texts === null ? before : withTexts(before, texts)), extras, changed };
  tx.put("messages", message);
  tx.report("amended", `${groupId}/${changed}`);
  return recordOf("messages", message);
}

async function amend(tx: Tx, ids: Ids, { groupId, messageId, decide }: MessageAmend): Promise<MessageAmended> {
  const [message] = await tx.list("messages", { groupId, id: messageId }, { limit: 1 });
  if (message === undefined || message.isRecalled === true) return { outcome: "missing" };
  const before = recordOf("messages", message);
  const decided = decide(before);
  if (decided === null) return { outcome: "same", message: before };
  return { outcome: "amended", message: await change(tx, ids, message, decided) };
}

/** Edits of messages and reactions to them. */
export const createAmendVerbs = ({ db, batches: { write, single }, ids }: StoreDeps): AmendVerbs => ({
  // In the queue of the room's messages, so that it does not conflict with them in the database.
  amend: ({ ...asked }) => write(roomRoot(asked.groupId), (tx) => amend(tx, ids, asked)),
  listAmended: ({ groupIds, after, limit }) =>
    single(async () => {
      const matches: Documents["messages"][] = [];
      for (const rooms of partsOf(groupIds)) {
        const filter = { groupId: { $in: rooms }, changed: { $gt: Math.max(0, after) } };
        const options = { sort: { changed: 1 }, limit: limit - matches.length + 1 } as const;
        matches.push(...(await collectionOf(db, "messages").find(filter, options).toArray()));
        if (matches.length > limit) return null;
      }
      return recordsOf("messages", matches).toSorted((a, b) => a.changed - b.changed);
    }),
});
