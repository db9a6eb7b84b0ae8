import type { SQLInputValue } from "node:sqlite";
import {
  parseRecord,
  recordFields,
  recordKeys,
  type RecordKey,
  type RecordKind,
  type Records,
} from "@telex/core/storage";
import type { Command, Database, Query } from "./database.ts";
import { flag, integer, type Row, textList } from "./rows.ts";

/** How a value that SQLite does not have is stored. */
interface Form {
  readonly read: (row: Row, column: string) => unknown;
  readonly write: (value: unknown) => SQLInputValue;
}

/** How the records of a kind lie in their table. A column is named as its field, with underscores, where nothing is said. */
interface Layout {
  readonly table: string;
  readonly columns?: Readonly<Record<string, string>>;
  readonly forms?: Readonly<Record<string, Form>>;
  /** The columns of the unique index where it is not that of the record's key. */
  readonly unique?: readonly string[];
}

const boolean: Form = { read: flag, write: Number };
const list: Form = { read: textList, write: (value) => JSON.stringify(value) };
const direction: Form = {
  read: (row, column) => (flag(row, column) ? "from_device" : "to_device"),
  write: (value) => Number(value === "from_device"),
};

/** A kind that lies in a table of its own: all but the counters. */
export type TableKind = Exclude<RecordKind, "counters">;

const layouts: Readonly<Record<TableKind, Layout>> = {
  users: { table: "users" },
  tokens: { table: "tokens", forms: { scopes: list } },
  groups: { table: "groups" },
  members: { table: "group_members" },
  devices: { table: "devices", forms: { away: boolean } },
  deviceGenerations: { table: "device_generations" },
  deviceMessages: { table: "device_messages", forms: { direction, delivered: boolean } },
  deviceNonces: { table: "device_nonces", columns: { fromDevice: "direction" }, forms: { fromDevice: boolean } },
  files: { table: "files" },
  uploads: { table: "uploads" },
  attachments: { table: "attachments" },
  messages: { table: "messages", forms: { external: boolean } },
  messageNonces: { table: "message_nonces", forms: { external: boolean } },
  messageFiles: { table: "message_files" },
  botMessages: { table: "bot_messages" },
  networkPeople: { table: "network_people" },
  codes: { table: "codes", forms: { used: boolean } },
  uploadShares: { table: "upload_shares" },
  allocations: { table: "allocations" },
  usage: { table: "usage" },
  reservations: { table: "reservations" },
  conversations: { table: "conversations" },
  conversationMessages: { table: "conversation_messages", unique: ["id"] },
  pairings: { table: "pairings", forms: { confirmed: boolean } },
};

/** The records of one kind in their table. */
export interface RecordTable<Kind extends RecordKind> {
  /** Records with a key above `after`, by key, at most `limit`. */
  readonly list: (after: RecordKey | null, limit: number) => Records[Kind][];
  /** Puts one in place of the one with the same key. Only in a transaction. */
  readonly put: (record: Records[Kind]) => void;
  readonly count: () => number;
}

const columnOf = ({ columns = {} }: Layout, field: string): string =>
  columns[field] ?? field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const plain = (value: unknown): SQLInputValue => {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`A ${typeof value} cannot be stored as it is.`);
};

const marks = (count: number): string => Array.from({ length: count }, () => "?").join(", ");

/** Columns that a table needs besides its records'. What a message's place says of its id is said once more. */
const extra: { readonly [Kind in TableKind]?: string } = {
  botMessages: "(SELECT id FROM messages WHERE group_id = ?3 AND seq = ?4)",
};

/** The statements on the records of one kind. */
export function prepareRecords<Kind extends TableKind>(database: Database, kind: Kind): RecordTable<Kind> {
  const layout = layouts[kind];
  const { table, forms = {} } = layout;
  const fields = recordFields(kind);
  const columns = fields.map((field) => columnOf(layout, field));
  const keys = recordKeys[kind].map((field) => columnOf(layout, field));
  const read = (row: Row): Records[Kind] =>
    parseRecord(
      kind,
      Object.fromEntries(
        fields.map((field, at) => {
          const column = columns[at] ?? field;
          return [field, forms[field]?.read(row, column) ?? row[column]];
        }),
      ),
    );
  const select = `SELECT ${columns.join(", ")} FROM ${table}`;
  const order = `ORDER BY ${keys.join(", ")} LIMIT ?`;
  const first: Query<Records[Kind]> = database.query(`${select} ${order}`, read);
  const next: Query<Records[Kind]> = database.query(
    `${select} WHERE (${keys.join(", ")}) > (${marks(keys.length)}) ${order}`,
    read,
  );
  const total = database.query(`SELECT count(*) AS total FROM ${table}`, (row) => integer(row, "total"));
  const put: Command = database.command(upsert(kind, columns, layout.unique ?? keys));
  return {
    list: (after, limit) => (after === null ? first.all(limit) : next.all(...after, limit)),
    put: (record) => void put(...fields.map((field) => (forms[field]?.write ?? plain)(Reflect.get(record, field)))),
    count: () => total.only(),
  };
}

/** `INSERT OR REPLACE` would take away what hangs on the row before. */
function upsert(kind: TableKind, columns: readonly string[], unique: readonly string[]): string {
  const more = extra[kind];
  const names = more === undefined ? columns : [...columns, "id"];
  const values = [...columns.map((_column, at) => `?${at + 1}`), ...(more === undefined ? [] : [more])];
  const others = names.filter((column) => !unique.includes(column));
  const change =
    others.length === 0 ? "NOTHING" : `UPDATE SET ${others.map((name) => `${name} = excluded.${name}`).join(", ")}`;
  return `INSERT INTO ${layouts[kind].table} (${names.join(", ")}) VALUES (${values.join(", ")})
    ON CONFLICT (${unique.join(", ")}) DO ${change}`;
}
