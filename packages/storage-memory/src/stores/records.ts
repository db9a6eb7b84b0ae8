import { compareKeys, keyOf, type RecordKind, type Records, type RecordStore } from "@telex/core/storage";
import type { Gate } from "../engine/gate.ts";
import { firstIndexWhere } from "../engine/sorted.ts";
import type { Table, Tables } from "../engine/tables.ts";

type Sorted<Kind extends RecordKind> = NonNullable<Table<Records[Kind]>["sorted"]>["entries"];

const sort = <Kind extends RecordKind>(kind: Kind, table: Table<Records[Kind]>): Sorted<Kind> =>
  Array.from(table.all(), (record) => ({ key: keyOf(kind, record), record })).toSorted((a, b) =>
    compareKeys(a.key, b.key),
  );

/**
 * The records of a kind by key. The sorted records of a page are reused for the next page if no other step came in between.
 * Otherwise, reading all records would sort them for every page.
 */
function sortedAt<Kind extends RecordKind>(step: number, kind: Kind, table: Table<Records[Kind]>): Sorted<Kind> {
  const before = table.sorted;
  const entries = before?.step === step - 1 ? before.entries : sort(kind, table);
  table.sorted = { step, entries };
  return entries;
}

export const createRecordStore = ({ verb, steps }: Gate, tables: Tables): RecordStore => ({
  list: verb((kind, { after, limit }) => {
    const entries = sortedAt(steps(), kind, tables[kind]);
    const start = after === null ? 0 : firstIndexWhere(entries, ({ key }) => compareKeys(key, after) > 0);
    return entries.slice(start, start + limit).map(({ record }) => record);
  }),
  put: verb((kind, records) => {
    for (const record of records) tables[kind].put(record);
  }),
  count: verb((kind) => Iterator.from<unknown>(tables[kind].all()).reduce((count: number) => count + 1, 0)),
});
