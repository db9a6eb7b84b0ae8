import type { MessageSearch, MessageSearchStore, MessagesFound } from "@telex/core/storage";
import type { Document } from "mongodb";
import { collectionOf, recordsOf, type StoreDeps } from "./deps.ts";
import { idFor } from "./documents.ts";
import type { Tx } from "./transaction.ts";

/** Messages of one room that one call looks at. */
const mostOfRoom = 1024;

/** The id down to which a call looks at a room: 0 for its beginning. */
async function floorOf(tx: Tx, groupId: number, before: number | null): Promise<number> {
  const below = before === null ? {} : { id: { $lt: before } };
  const [newest] = await tx.list("messages", { groupId, ...below }, { sort: { id: -1 }, limit: 1 });
  const seq = newest?.seq ?? 0;
  if (seq <= mostOfRoom) return 0;
  return (await tx.find("messages", idFor([groupId, seq - mostOfRoom + 1])))?.id ?? 0;
}

/** Matches no message. */
const never: Document = { groupId: { $lt: 0 } };

/** What a message must have: of every word all terms of one spelling. */
const termsOf = ({ words }: MessageSearch): Document[] =>
  words.map((spellings) => {
    const each = spellings.map((spelling): Document => (spelling.length === 0 ? {} : { terms: { $all: spelling } }));
    return each.length === 0 ? never : { $or: each };
  });

function filterOf(asked: MessageSearch, groupIds: readonly number[], floor: number): Document {
  const { before, createdAfter, createdBefore } = asked;
  return {
    groupId: { $in: groupIds },
    id: { $gte: floor, ...(before !== null && { $lt: before }) },
    createTime: { $gt: createdAfter ?? Number.MIN_SAFE_INTEGER, $lt: createdBefore ?? Number.MAX_SAFE_INTEGER },
    isRecalled: { $ne: true },
    unindexed: { $ne: true },
    ...(asked.words.length > 0 && { $and: termsOf(asked) }),
  };
}

async function search(tx: Tx, asked: MessageSearch): Promise<MessagesFound> {
  const groupIds = [...new Set(asked.groupIds)];
  let floor = 0;
  for (const groupId of groupIds) floor = Math.max(floor, await floorOf(tx, groupId, asked.before));
  const options = { sort: { id: -1 }, limit: asked.limit + 1 } as const;
  const found = await tx.list("messages", filterOf(asked, groupIds, floor), options);
  const messages = recordsOf("messages", found.slice(0, asked.limit));
  const end = found.length > asked.limit ? (messages.at(-1)?.id ?? 0) : floor;
  const [rest] = await tx.list("messages", { groupId: { $in: groupIds }, unindexed: true }, { limit: 1 });
  return { messages, next: end === 0 ? null : end, isComplete: rest === undefined };
}

async function index(tx: Tx, messages: Parameters<MessageSearchStore["index"]>[0]): Promise<void> {
  for (const { groupId, id, terms } of messages) {
    const [found] = await tx.list("messages", { groupId, id, unindexed: true }, { limit: 1 });
    if (found === undefined) continue;
    const { unindexed: _unindexed, ...message } = found;
    tx.put("messages", { ...message, terms: [...new Set(terms)] });
  }
}

/** Messages by their terms, which are in their documents. */
export const createSearchVerbs = ({ db, batches: { read, write, single } }: StoreDeps): MessageSearchStore => ({
  search: (asked) => read((tx) => search(tx, asked)),
  listUnindexed: (limit) =>
    single(async () =>
      recordsOf("messages", await collectionOf(db, "messages").find({ unindexed: true }, { limit }).toArray()),
    ),
  index(messages) {
    const own = structuredClone(messages);
    return write("search", (tx) => index(tx, own));
  },
});
