import type { MessageSearch, MessageSearchStore, MessagesFound, RenewedMessage } from "@telex/core/storage";
import type { AnyBulkWriteOperation, Document } from "mongodb";
import type { StoreDeps } from "../stores/deps.ts";
import { collectionOf, recordsOf } from "../driver/collections.ts";
import { type Documents, idFor } from "../driver/documents.ts";
import { partsOf } from "../stores/parts.ts";
import type { Reads } from "../driver/transaction.ts";
import { mostText, floorOfAll, termsOf, lookUpOf, filterOf, newestFirst } from "./search-filter.ts";

/** Maximum messages without terms that one call returns: per room, and in total. */
const unindexedOfRoom = 128;

const mostUnindexed = 2048;

/** Messages without terms that one query reads. */
const readTogether = 128;

/** Messages that one call returns for indexing. */
const together = 64;

/** Messages that one call returns for renewal. */
const renewedTogether = 64;

/** With this many messages without terms, a search is not complete. */
const manyUnindexed = 1000;

/** The newest messages of rooms that match a filter. Rooms are read in parts. */
async function newestOf(
  tx: Reads,
  groupIds: readonly number[],
  filter: Document,
  limit: number,
): Promise<readonly Documents["messages"][]> {
  const matches: Documents["messages"][] = [];
  for (const rooms of partsOf(groupIds)) {
    const ofRooms = { ...filter, groupId: { $in: rooms } };
    matches.push(...(await tx.list("messages", ofRooms, { sort: newestFirst, limit })));
  }
  return matches.toSorted((a, b) => b.id - a.id).slice(0, limit);
}

interface Unindexed {
  readonly found: readonly Documents["messages"][];
  /** The messages are complete down to this id. */
  readonly floor: number;
}

/** The newest messages without terms, down to `floor` or until there are too many. */
async function readUnindexed(tx: Reads, asked: MessageSearch, floor: number): Promise<Unindexed> {
  const matches: Documents["messages"][] = [];
  const most = Math.min(mostUnindexed, unindexedOfRoom * asked.groupIds.length);
  for (let text = 0; matches.length < most && text < mostText;) {
    const filter = { ...filterOf({ ...asked, before: matches.at(-1)?.id ?? asked.before }, floor), unindexed: true };
    const some = await newestOf(tx, asked.groupIds, filter, readTogether);
    matches.push(...some);
    text += some.reduce((length, { content, pinyin }) => length + content.length + pinyin.length, 0);
    if (some.length < readTogether) return { found: matches, floor };
  }
  return { found: matches, floor: matches.at(-1)?.id ?? floor };
}

async function search(tx: Reads, asked: MessageSearch): Promise<MessagesFound> {
  const floorOfRooms = await floorOfAll(tx, asked.groupIds, asked.before);
  const { found, floor } = await readUnindexed(tx, asked, floorOfRooms);
  const words = termsOf(asked);
  const isIndexed = { unindexed: { $ne: true }, ...lookUpOf(asked), ...(words.length > 0 && { $and: words }) };
  const indexed = await newestOf(tx, asked.groupIds, { ...filterOf(asked, floor), ...isIndexed }, asked.limit);
  const end = indexed.length < asked.limit ? floor : (indexed.at(-1)?.id ?? floor);
  const messages = [...found, ...indexed].filter(({ id }) => id >= end).toSorted((a, b) => b.id - a.id);
  return { messages: recordsOf("messages", messages), next: end === 0 ? null : end, isComplete: true };
}

type Indexed = Parameters<MessageSearchStore["index"]>[0][number];

/** The message has no terms yet, and was not recalled. */
const isToIndex = { $and: [{ $eq: ["$unindexed", true] }, { $ne: ["$isRecalled", true] }] };

/** Does not change a message that another server has indexed, or that was recalled: the condition is in the update. */
const indexOne = ({ groupId, seq, id, terms }: Indexed): AnyBulkWriteOperation<Documents["messages"]> => ({
  updateOne: {
    filter: { _id: idFor([groupId, seq]), id },
    update: [
      {
        $set: {
          terms: { $cond: [isToIndex, { $literal: [...new Set(terms)] }, "$terms"] },
          // A message without an edition keeps none, because its pinyin must still be renewed.
          edition: {
            $cond: [{ $and: [isToIndex, { $eq: ["$edition", 1] }] }, 2, { $ifNull: ["$edition", "$$REMOVE"] }],
          },
        },
      },
      { $unset: "unindexed" },
    ],
  },
});

/** The message was stored or indexed by another version. */
const isOutdated: Document = { edition: { $in: [null, 1] }, unindexed: { $ne: true } };

/** The same, including messages that have no terms yet. */
const willBeOutdated: Document = { $or: [{ edition: null }, { edition: 1, unindexed: { $ne: true } }] };

/** A message that has changed since, or was recalled, does not match. */
const renewOne = ({
  groupId,
  seq,
  id,
  content,
  fresh,
}: RenewedMessage): AnyBulkWriteOperation<Documents["messages"]> => {
  const { terms = [], ...texts } = fresh ?? {};
  const set = fresh === null ? {} : { ...texts, terms: [...new Set(terms)] };
  return {
    updateOne: {
      filter: { _id: idFor([groupId, seq]), id, content, unindexed: { $ne: true } },
      update: { $set: { edition: 2, ...set } },
    },
  };
};

/** Searches messages by the terms in their documents. */
export function createSearchVerbs({ db, batches: { read, single } }: StoreDeps): MessageSearchStore {
  const messages = collectionOf(db, "messages");
  const isComplete = async (groupIds: readonly number[]): Promise<boolean> => {
    const filter = { groupId: { $in: groupIds }, unindexed: true } as const;
    return (await messages.countDocuments(filter, { limit: manyUnindexed })) < manyUnindexed;
  };
  return {
    async search(asked) {
      const own = { ...structuredClone(asked), groupIds: [...new Set(asked.groupIds)] };
      const page = await read((tx) => search(tx, own));
      return { ...page, isComplete: await single(() => isComplete(own.groupIds)) };
    },
    listUnindexed: () =>
      single(async () =>
        recordsOf("messages", await messages.find({ unindexed: true }, { limit: together }).toArray()),
      ),
    listOutdated: () =>
      single(async () => {
        return recordsOf("messages", await messages.find(isOutdated, { limit: renewedTogether }).toArray());
      }),
    countOutdated: (most) => single(() => messages.countDocuments(willBeOutdated, { limit: most })),
    renew(renewed) {
      const own = renewed.map(renewOne);
      return single(async () => {
        if (own.length > 0) await messages.bulkWrite(own, { ordered: false });
      });
    },
    index(indexed) {
      const own = indexed.map(indexOne);
      return single(async () => {
        if (own.length > 0) await messages.bulkWrite(own, { ordered: false });
      });
    },
  };
}
