import type { Document } from "mongodb";
import type { StoreDeps } from "./deps.ts";
import type { CollectionName } from "./documents.ts";

/** Documents that are removed together. */
const together = 500;

/**
 * Removes the documents that match, in parts, until few are left: these are for the transaction that ends the removal. MongoDB limits
 * the time of a transaction, and nobody else waits for so long. If it is interrupted, a repeat goes on.
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
