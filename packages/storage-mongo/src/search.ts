import type { MessageSearch, MessageSearchStore, MessagesFound } from "@telex/core/storage";
import type { AnyBulkWriteOperation, Document } from "mongodb";
import { collectionOf, recordsOf, type StoreDeps } from "./deps.ts";
import { type Documents, idFor } from "./documents.ts";
import type { Tx } from "./transaction.ts";

/** Messages of one room that one call looks at. */
const mostOfRoom = 16_384;
/** Messages without terms that one call returns. */
const mostUnindexed = 128;
/** Messages that are indexed together. */
const together = 64;
/** So many messages without terms are not complete. */
const manyUnindexed = 1000;

/** The id down to which a call looks at a large room. */
async function floorOf(tx: Tx, groupId: number, before: number | null): Promise<number> {
  const filter = { groupId, ...(before !== null && { id: { $lt: before } }) };
  const options = { sort: { id: -1 }, skip: mostOfRoom - 1, limit: 1 } as const;
  return (await tx.list("messages", filter, options))[0]?.id ?? 0;
}

/** The id down to which a call looks at all rooms: 0 for the beginning. */
async function floorOfAll(tx: Tx, groupIds: readonly number[], before: number | null): Promise<number> {
  const large = await tx.list("heads", { _id: { $in: groupIds }, seq: { $gt: mostOfRoom } });
  const floors: number[] = [];
  for (const { _id } of large) floors.push(await floorOf(tx, _id, before));
  return Math.max(0, ...floors);
}

/** Matches no message. */
const never: Document = { groupId: { $lt: 0 } };

/** What a message with terms must have: of every word all terms of one spelling. */
const termsOf = ({ words }: MessageSearch): Document[] =>
  words.map((spellings) => {
    const each = spellings.map((spelling): Document => (spelling.length === 0 ? {} : { terms: { $all: spelling } }));
    return each.length === 0 ? never : { $or: each };
  });

/** A condition on the terms that the index can look up: `$or` within `$and` alone would read every message of a room. */
function lookUpOf({ words }: MessageSearch): Document {
  const needed = words.flatMap((spellings) => (spellings.length === 1 ? (spellings[0] ?? []) : []));
  if (needed.length > 0) return { terms: { $all: [...new Set(needed)] } };
  const [spellings = []] = words;
  const first = spellings.flatMap(([term]) => (term === undefined ? [] : [term]));
  return first.length > 0 && first.length === spellings.length ? { terms: { $in: first } } : {};
}

function filterOf(asked: MessageSearch, groupIds: readonly number[], floor: number): Document {
  const { before, createdAfter, createdBefore } = asked;
  return {
    groupId: { $in: groupIds },
    id: { $gte: floor, ...(before !== null && { $lt: before }) },
    createTime: { $gt: createdAfter ?? Number.MIN_SAFE_INTEGER, $lt: createdBefore ?? Number.MAX_SAFE_INTEGER },
    isRecalled: { $ne: true },
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
  const floor = await floorOfAll(tx, groupIds, asked.before);
  const filter = filterOf(asked, groupIds, floor);
  const sort = { id: -1 } as const;
  const words = termsOf(asked);
  const isIndexed = { unindexed: { $ne: true }, ...lookUpOf(asked), ...(words.length > 0 && { $and: words }) };
  const found = [
    ...(await tx.list("messages", { ...filter, unindexed: true }, { sort, limit: mostUnindexed + 1 })),
    ...(await tx.list("messages", { ...filter, ...isIndexed }, { sort, limit: asked.limit + 1 })),
  ].toSorted((a, b) => b.id - a.id);
  const messages = firstOf(found, asked.limit);
  const end = messages.length < found.length ? (messages.at(-1)?.id ?? 0) : floor;
  return { messages: recordsOf("messages", messages), next: end === 0 ? null : end, isComplete: true };
}

type Indexed = Parameters<MessageSearchStore["index"]>[0][number];

/** The message has no terms yet, and was not recalled. */
const isToIndex = { $and: [{ $eq: ["$unindexed", true] }, { $ne: ["$isRecalled", true] }] };

/**
 * A message that another server has indexed meanwhile, or that was recalled, does not change: the condition is in the update.
 */
const indexOne = ({ groupId, seq, id, terms }: Indexed): AnyBulkWriteOperation<Documents["messages"]> => ({
  updateOne: {
    filter: { _id: idFor([groupId, seq]), id },
    update: [
      { $set: { terms: { $cond: [isToIndex, { $literal: [...new Set(terms)] }, "$terms"] } } },
      { $unset: "unindexed" },
    ],
  },
});

/** Messages by their terms, which are in their documents. */
export function createSearchVerbs({ db, batches: { read, single } }: StoreDeps): MessageSearchStore {
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
      const own = indexed.map(indexOne);
      return single(async () => {
        if (own.length > 0) await messages.bulkWrite(own, { ordered: false });
      });
    },
  };
}
