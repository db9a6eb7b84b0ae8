import {
  counterNames,
  type CounterName,
  type RecordKind,
  type RecordPage,
  type Records,
  type RecordStore,
} from "@telex/core/storage";
import type { Db, Document } from "mongodb";
import { recordOf, type StoreDeps } from "./deps.ts";
import { type DocumentId, idFor, idOf } from "./documents.ts";
import { puts } from "./derived.ts";
import type { Tx } from "./transaction.ts";

/** Counters of ids by time, and in which fields their greatest ids are kept. */
const timed: Partial<Record<CounterName, readonly (readonly [collection: string, field: string])[]>> = {
  message: [["heads", "newest"]],
  deviceMessage: [
    ["devices", "newest"],
    ["devices", "floor"],
    ["deviceGenerations", "newest"],
  ],
  conversationMessage: [["conversations", "newest"]],
};

async function greatestOf(db: Db, collection: string, field: string): Promise<number> {
  const found = await db.collection(collection).findOne<Document>({}, { sort: { [field]: -1 } });
  const value: unknown = found?.[field];
  return typeof value === "number" ? value : 0;
}

/** The greatest id that was ever given. */
async function counterOf(db: Db, name: CounterName): Promise<Records["counters"]> {
  const kept = await db.collection<{ _id: string; value: number }>("counters").findOne({ _id: name });
  const given = await Promise.all((timed[name] ?? []).map(([collection, field]) => greatestOf(db, collection, field)));
  return { name, value: Math.max(kept?.value ?? 0, ...given) };
}

/** Brings the documents of all counters up to date, so that they are listed as other records are. */
async function storeTimed(db: Db): Promise<void> {
  const counters = await Promise.all(counterNames.map((name) => counterOf(db, name)));
  await db.collection<{ _id: string }>("counters").bulkWrite(
    counters.map(({ name, value }) => ({
      updateOne: { filter: { _id: name }, update: { $set: { name }, $max: { value } }, upsert: true },
    })),
  );
}

async function list<Kind extends RecordKind>(
  db: Db,
  kind: Kind,
  { after, limit }: RecordPage,
): Promise<readonly Records[Kind][]> {
  const filter: Document = after === null ? {} : { _id: { $gt: idFor(after) } };
  const found = await db
    .collection(kind)
    .find<Records[Kind]>(filter, { sort: { _id: 1 }, limit })
    .toArray();
  return found.map((document) => recordOf(kind, document));
}

/** Stores records in place of those with their keys, and what is derived from them. */
async function put<Kind extends RecordKind>(
  tx: Tx,
  kind: Kind,
  records: readonly { readonly id: DocumentId; readonly record: Records[Kind] }[],
): Promise<void> {
  await tx.load(records.map(({ id }) => ({ name: kind, id })));
  await puts[kind](
    tx,
    records.map(({ record }) => record),
  );
}

/** All data as plain records. */
export const createRecordStore = ({ db, batches: { single, write }, ids }: StoreDeps): RecordStore => ({
  list: (kind, page) =>
    single(async () => {
      if (kind === "counters") await storeTimed(db);
      return list(db, kind, page);
    }),
  async put(kind, records) {
    const own = structuredClone(records).map((record) => ({ id: idOf(kind, record), record }));
    await write("records", (tx) => put(tx, kind, own));
    await ids.load();
  },
  count: (kind) =>
    kind === "counters" ? Promise.resolve(counterNames.length) : single(() => db.collection(kind).countDocuments()),
});
