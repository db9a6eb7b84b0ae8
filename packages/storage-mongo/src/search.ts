import type { MessageSearch, MessageSearchStore, MessagesFound } from "@telex/core/storage";
import type { Document } from "mongodb";
import { collectionOf, recordsOf, type StoreDeps } from "./deps.ts";
import { type Documents, idFor } from "./documents.ts";
import type { Tx } from "./transaction.ts";

/** Messages of one room that one call looks at. */
const mostOfRoom = 4096;
/** Messages without terms that one call returns. */
const mostUnindexed = 128;
/** Messages that are indexed together. */
const together = 64;
/** So many messages without terms are not complete. */
const manyUnindexed = 1000;

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

/** What a message with terms must have: of every word all terms of one spelling. */
const termsOf = ({ words }: MessageSearch): Document[] =>
  words.map((spellings) => {
    const each = spellings.map((spelling): Document => (spelling.length === 0 ? {} : { terms: { $all: spelling } }));
    return each.length === 0 ? never : { $or: each };
  });

function filterOf(asked: MessageSearch, groupIds: readonly number[], floor: number): Document {
  const { before, createdAfter, createdBefore } = asked;
  const words = termsOf(asked);
  return {
    groupId: { $in: groupIds },
    id: { $gte: floor, ...(before !== null && { $lt: before }) },
    createTime: { $gt: createdAfter ?? Number.MIN_SAFE_INTEGER, $lt: createdBefore ?? Number.MAX_SAFE_INTEGER },
    isRecalled: { $ne: true },
    ...(words.length > 0 && { $or: [{ unindexed: true }, { $and: words }] }),
  };
}

/** The first messages, until there are enough of those with terms or too many of those without. */
function firstOf(found: readonly Documents["messages"][], limit: number): Documents["messages"][] {
  let indexed = 0;
  const end = found.findIndex(({ unindexed }, place) => {
    const isEnough = indexed === limit || place - indexed === mostUnindexed;
    indexed += Number(unindexed !== true);
    return isEnough;
  });
  return end === -1 ? [...found] : found.slice(0, end);
}

async function search(tx: Tx, asked: MessageSearch): Promise<MessagesFound> {
  const groupIds = [...new Set(asked.groupIds)];
  let floor = 0;
  for (const groupId of groupIds) floor = Math.max(floor, await floorOf(tx, groupId, asked.before));
  const options = { sort: { id: -1 }, limit: asked.limit + mostUnindexed + 1 } as const;
  const found = await tx.list("messages", filterOf(asked, groupIds, floor), options);
  const messages = firstOf(found, asked.limit);
  const end = messages.length < found.length ? (messages.at(-1)?.id ?? 0) : floor;
  return { messages: recordsOf("messages", messages), next: end === 0 ? null : end, isComplete: true };
}

/** Messages that were indexed by another server meanwhile do not change. */
async function index(tx: Tx, messages: Parameters<MessageSearchStore["index"]>[0]): Promise<void> {
  await tx.load(messages.map(({ groupId, seq }) => ({ name: "messages", id: idFor([groupId, seq]) })));
  for (const { groupId, seq, terms } of messages) {
    const found = await tx.find("messages", idFor([groupId, seq]));
    if (found?.unindexed !== true) continue;
    const { unindexed: _unindexed, ...message } = found;
    tx.put("messages", { ...message, terms: [...new Set(terms)] });
  }
}

/** Messages by their terms, which are in their documents. */
export function createSearchVerbs({ db, batches: { read, write, single } }: StoreDeps): MessageSearchStore {
  const messages = collectionOf(db, "messages");
  const isComplete = async (groupIds: readonly number[]): Promise<boolean> => {
    const filter = { groupId: { $in: groupIds }, unindexed: true } as const;
    return (await messages.countDocuments(filter, { limit: manyUnindexed })) < manyUnindexed;
  };
  return {
    async search(asked) {
      const own = structuredClone(asked);
      const found = await read((tx) => search(tx, own));
      return { ...found, isComplete: await single(() => isComplete(own.groupIds)) };
    },
    listUnindexed: () =>
      single(async () =>
        recordsOf("messages", await messages.find({ unindexed: true }, { limit: together }).toArray()),
      ),
    index(indexed) {
      const own = structuredClone(indexed);
      return write("search", (tx) => index(tx, own));
    },
  };
}
