import type { RecordKey, RecordKind, Records } from "@telex/core/storage";
import type { Command, Database, Query } from "../engine/database.ts";
import { integer } from "../engine/rows.ts";
import { describeTable, marks, type Table, type TableKind } from "../engine/table.ts";

/** The records of one kind in their table. */
export interface RecordTable<Kind extends RecordKind> {
  /** Records with a key above `after`, by key, at most `limit`. */
  readonly list: (after: RecordKey | null, limit: number) => Records[Kind][];
  /** Stores a record, and replaces the one with the same key. Only call it in a transaction. */
  readonly put: (record: Records[Kind]) => void;
  readonly count: () => number;
}

/** Columns in addition to those of the records: here, the id of a message, which its position already determines. */
const extra: { readonly [Kind in TableKind]?: string } = {
  botMessages: "(SELECT id FROM messages WHERE group_id = ?3 AND seq = ?4)",
};

/** Matches the rows that are records, for tables that also have others. */
const condition: { readonly [Kind in TableKind]?: string } = { artifacts: "grant_id IS NOT NULL" };

/** The statements on the records of one kind. */
export function prepareRecords<Kind extends TableKind>(database: Database, kind: Kind): RecordTable<Kind> {
  const table = describeTable(kind);
  const { name, names, keys, read } = table;
  const where = `WHERE ${condition[kind] ?? "TRUE"}`;
  const select = `SELECT ${names} FROM ${name} ${where}`;
  const order = `ORDER BY ${keys.join(", ")} LIMIT ?`;
  const first: Query<Records[Kind]> = database.query(`${select} ${order}`, read);
  const next: Query<Records[Kind]> = database.query(
    `${select} AND (${keys.join(", ")}) > (${marks(keys.length)}) ${order}`,
    read,
  );
  const total = database.query(`SELECT count(*) AS total FROM ${name} ${where}`, (row) => integer(row, "total"));
  const put: Command = database.command(upsert(table, extra[kind]));
  return {
    list: (after, limit) => (after === null ? first.all(limit) : next.all(...after, limit)),
    put: (record) => void put(...table.values(record)),
    count: () => total.only(),
  };
}

/** `INSERT OR REPLACE` would delete the rows that refer to the previous row. */
function upsert<Kind extends TableKind>({ name, list, unique }: Table<Kind>, more: string | undefined): string {
  const names = more === undefined ? list : [...list, "id"];
  const values = [...list.map((_column, at) => `?${at + 1}`), ...(more === undefined ? [] : [more])];
  const others = names.filter((column) => !unique.includes(column));
  const change =
    others.length === 0
      ? "NOTHING"
      : `UPDATE SET ${others.map((column) => `${column} = excluded.${column}`).join(", ")}`;
  return `INSERT INTO ${name} (${names.join(", ")}) VALUES (${values.join(", ")})
    ON CONFLICT (${unique.join(", ")}) DO ${change}`;
}
