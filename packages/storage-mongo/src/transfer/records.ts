import {
  compareKeys,
  counterNames,
  type CounterName,
  type RecordKey,
  recordKey,
  type RecordKind,
  type RecordPage,
  type Records,
  type RecordStore,
} from "@telex/core/storage";
import type { Db, Document, FindOptions } from "mongodb";
import type { StoreDeps } from "../stores/deps.ts";
import { type DocumentId, idFor, idOf, recordOf } from "../driver/documents.ts";
import { puts } from "./derived.ts";
import type { Tx } from "../driver/transaction.ts";

/** Counters of time-based ids, and the fields that contain their greatest ids. */
const timed: Partial<Record<CounterName, readonly (readonly [collection: string, field: string])[]>> = {
  message: [["heads", "newest"]],
  deviceMessage: [
    ["devices", "newest"],
    ["devices", "floor"],
    ["deviceGenerations", "newest"],
  ],
  conversationMessage: [["conversations", "newest"]],
};

/** The source of records: the current database, or a snapshot. */
export interface Reading {
  readonly db: Db;
  /** For every read. */
  readonly options: Pick<FindOptions, "session" | "readConcern">;
}

async function greatestOf({ db, options }: Reading, collection: string, field: string): Promise<number> {
  const last = await db.collection(collection).findOne<Document>({}, { ...options, sort: { [field]: -1 } });
  const value: unknown = last?.[field];
  return typeof value === "number" ? value : 0;
}

/** The greatest id that was ever assigned. */
async function counterOf(reading: Reading, name: CounterName): Promise<Records["counters"]> {
  const { db, options } = reading;
  const counter = await db.collection<{ _id: string; value: number }>("counters").findOne({ _id: name }, options);
  const values = [counter?.value ?? 0];
  for (const [collection, field] of timed[name] ?? []) values.push(await greatestOf(reading, collection, field));
  return { name, value: Math.max(...values) };
}

/** The documents of counters of time-based ids are not up to date. */
async function listCounters(reading: Reading, { after, limit }: RecordPage): Promise<readonly Records["counters"][]> {
  const names = counterNames.filter((name) => after === null || compareKeys([name], after) > 0).slice(0, limit);
  const counters: Records["counters"][] = [];
  for (const name of names) counters.push(await counterOf(reading, name));
  return counters;
}

/** A key above `values` matches one of these conditions. */
const keysAbove = (fields: readonly string[], values: RecordKey) =>
  fields.map((field, index) => ({
    ...Object.fromEntries(fields.slice(0, index).map((before, at) => [before, values[at]])),
    [field]: { $gt: values[index] },
  }));

/** The ids of these documents are not in the order of the key. */
async function listBotMessages(
  { db, options }: Reading,
  { after, limit }: RecordPage,
): Promise<readonly Records["botMessages"][]> {
  const fields = recordKey("botMessages");
  const sort = Object.fromEntries(fields.map((field) => [field, 1] as const));
  const record = await db
    .collection("botMessages")
    .find<Records["botMessages"]>(after === null ? {} : { $or: keysAbove(fields, after) }, { ...options, sort, limit })
    .toArray();
  return record.map((document) => recordOf("botMessages", document));
}

/** Matches the documents that are records, for kinds that also have others. */
const conditions: { readonly [Kind in RecordKind]?: Document } = { artifacts: { grantId: { $type: "string" } } };

/** Kinds whose records differ from their documents, or have another order. */
const lists: {
  readonly [Kind in RecordKind]?: (reading: Reading, page: RecordPage) => Promise<readonly Records[Kind][]>;
} = { counters: listCounters, botMessages: listBotMessages };

/** Records by key, as a record store lists them. */
export async function listRecords<Kind extends RecordKind>(
  reading: Reading,
  kind: Kind,
  page: RecordPage,
): Promise<readonly Records[Kind][]> {
  const { db, options } = reading;
  const { after, limit } = page;
  const list = lists[kind];
  if (list !== undefined) return list(reading, page);
  const filter: Document = { ...conditions[kind], ...(after !== null && { _id: { $gt: idFor(after) } }) };
  const record = await db
    .collection(kind)
    .find<Records[Kind]>(filter, { ...options, sort: { _id: 1 }, limit, batchSize: limit })
    .toArray();
  return record.map((document) => recordOf(kind, document));
}

/** Stores records, replaces those with the same keys, and stores the documents that are derived from them. */
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
  list: (kind, page) => single(() => listRecords({ db, options: {} }, kind, page)),
  async put(kind, records) {
    const own = structuredClone(records).map((record) => ({ id: idOf(kind, record), record }));
    await write("records", (tx) => put(tx, kind, own));
    await ids.load();
  },
  count: (kind) =>
    kind === "counters"
      ? Promise.resolve(counterNames.length)
      : single(() => db.collection(kind).countDocuments(conditions[kind] ?? {})),
});
