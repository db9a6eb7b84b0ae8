import type { Document } from "mongodb";
import type { StoreDeps } from "./deps.ts";
import type { CollectionName } from "../driver/documents.ts";

/**
 * Maximum rooms of one query. For more than 200, MongoDB no longer reads the index of each room in order, but reads and sorts all messages
 * of all rooms (`internalQueryMaxScansToExplode`).
 */
const mostRooms = 200;

/** Splits the rooms of a sorted query into parts. */
export const partsOf = (groupIds: readonly number[]): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(groupIds.length / mostRooms) }, (_, part) =>
    groupIds.slice(part * mostRooms, (part + 1) * mostRooms),
  );

/** Documents that are removed together. */
const together = 500;

/**
 * Removes the documents that match, in parts, until few are left for the transaction that completes the removal. MongoDB limits
 * the time of a transaction, and a long one would make other writers wait. If this is interrupted, a repeat continues.
 */
export async function removeMost(
  { db, batches: { single } }: Pick<StoreDeps, "db" | "batches">,
  name: CollectionName,
  filter: Document,
): Promise<void> {
  const collection = db.collection(name);
  const part = { sort: { _id: 1 }, skip: together - 1, limit: 1, projection: { _id: 1 } } as const;
  for (;;) {
    const [last] = await single(() => collection.find(filter, part).toArray());
    if (last === undefined) return;
    const upTo = { $and: [filter, { _id: { $lte: last._id } }] };
    await single(() => collection.deleteMany(upTo));
  }
}
