import type { Db } from "mongodb";
import { guarded, MongoStorageError } from "../driver/errors.ts";

/** Marks a database whose copy is incomplete, and notes the progress of the copy. */
export interface TransferMark {
  /** The last note; null if no copy is in progress. */
  readonly load: () => Promise<string | null>;
  /** Replaces the note. It is on the disks of a majority of the members when the promise resolves. */
  readonly save: (text: string) => Promise<void>;
  /** Removes the mark when the copy is complete. */
  readonly remove: () => Promise<void>;
}

const id = "transfer";

const metaOf = (db: Db) => db.collection<{ readonly _id: string; readonly text?: string }>("meta");

/** The mark of a database that `createMongoStorage` has opened with `incomplete`. */
export function createTransferMark({ db }: { readonly db: Db }): TransferMark {
  const meta = metaOf(db);
  return {
    load: () => guarded(async () => (await meta.findOne({ _id: id }))?.text ?? null),
    save: (text) => guarded(async () => void (await meta.updateOne({ _id: id }, { $set: { text } }, { upsert: true }))),
    remove: () => guarded(async () => void (await meta.deleteOne({ _id: id }))),
  };
}

/** @throws MongoStorageError `incomplete` */
export async function assertComplete(db: Db): Promise<void> {
  if ((await metaOf(db).findOne({ _id: id })) === null) return;
  const message =
    `A copy into the database ${db.databaseName} is not complete. Run telex migrate copy, telex import or telex restore ` +
    "again, or drop the database.";
  throw new MongoStorageError("incomplete", message);
}
