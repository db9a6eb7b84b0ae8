import { compareKeys, keyOf, type RecordKind, type Records, type RecordStore } from "@telex/core/storage";
import type { Gate } from "../engine/gate.ts";
import { placeWhere } from "../engine/sorted.ts";
import type { Table, Tables } from "../engine/tables.ts";

type Sorted<Kind extends RecordKind> = NonNullable<Table<Records[Kind]>["sorted"]>["entries"];

const sort = <Kind extends RecordKind>(kind: Kind, table: Table<Records[Kind]>): Sorted<Kind> =>
  Array.from(table.all(), (record) => ({ key: keyOf(kind, record), record })).toSorted((a, b) =>
    compareKeys(a.key, b.key),
  );

/**
 * The records of a kind by key. What was sorted for a page serves the next one when nothing else has happened between the
 * two: else going through all records would sort them for every page.
 */
function sortedAt<Kind extends RecordKind>(step: number, kind: Kind, table: Table<Records[Kind]>): Sorted<Kind> {
  const before = table.sorted;
  const entries = before?.step === step - 1 ? before.entries : sort(kind, table);
  table.sorted = { step, entries };
  return entries;
}

/** Everything as records. */
export const createRecordStore = ({ verb, steps }: Gate, tables: Tables): RecordStore => ({
  list: verb((kind, { after, limit }) => {
    const entries = sortedAt(steps(), kind, tables[kind]);
    const start = after === null ? 0 : placeWhere(entries, ({ key }) => compareKeys(key, after) > 0);
    return entries.slice(start, start + limit).map(({ record }) => record);
  }),
  put: verb((kind, records) => {
    for (const record of records) tables[kind].put(record);
  }),
  count: verb((kind) => Iterator.from<unknown>(tables[kind].all()).reduce((count: number) => count + 1, 0)),
});
