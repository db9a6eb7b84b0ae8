import type { SQLInputValue } from "node:sqlite";
import {
  parseRecord,
  type RecordForm,
  recordForms,
  recordKey,
  type RecordKind,
  type Records,
} from "@telex/core/storage";
import { flag, type Row, textList } from "./rows.ts";

/** Converts values of types that SQLite does not have. */
interface Form {
  readonly read: (row: Row, column: string) => unknown;
  readonly write: (value: unknown) => SQLInputValue;
}

/** The properties of a table that cannot be derived from the fields of its records. */
interface Exception {
  readonly table?: string;
  readonly columns?: Readonly<Record<string, string>>;
  readonly forms?: Readonly<Record<string, Form>>;
  /** The columns of the unique index, if they are not the key of the record. */
  readonly unique?: readonly string[];
}

const plain = (value: unknown): SQLInputValue => {
  if (value === null || typeof value === "string" || typeof value === "number") return value;
  throw new TypeError(`A value of the type ${typeof value} cannot be stored without a form.`);
};

const formOf: Readonly<Record<RecordForm, Form>> = {
  plain: { read: (row, column) => row[column], write: plain },
  flag: { read: flag, write: Number },
  texts: { read: textList, write: (value) => JSON.stringify(value) },
};

const direction: Form = {
  read: (row, column) => (flag(row, column) ? "from_device" : "to_device"),
  write: (value) => Number(value === "from_device"),
};

/** A kind that has its own table: all except the counters. */
export type TableKind = Exclude<RecordKind, "counters">;

const exceptions: { readonly [Kind in TableKind]?: Exception } = {
  members: { table: "group_members" },
  deviceMessages: { forms: { direction } },
  deviceNonces: { columns: { fromDevice: "direction" } },
  conversationMessages: { unique: ["id"] },
};

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Some fields of a kind of records, as columns. */
export interface Columns<Given> {
  /** `user_id, nickname`: the names, in the order of the values. */
  readonly names: string;
  /** `?, ?`: one for each column. */
  readonly marks: string;
  /** The values of these fields of a record. Ignores its other fields. */
  readonly values: (record: Given) => SQLInputValue[];
}

/** The table of a kind of records, derived from their description in core. */
export interface Table<Kind extends TableKind> extends Columns<Records[Kind]> {
  readonly name: string;
  /** The columns of the key, the most significant first. */
  readonly keys: readonly string[];
  /** The columns of a unique index. */
  readonly unique: readonly string[];
  readonly list: readonly string[];
  readonly read: (row: Row) => Records[Kind];
  /** The columns except those of these fields. */
  readonly without: <Field extends keyof Records[Kind] & string>(
    ...fields: readonly Field[]
  ) => Columns<Omit<Records[Kind], Field>>;
}

/** Placeholders for this many values. */
export const marks = (count: number): string => Array.from({ length: count }, () => "?").join(", ");

interface Column {
  readonly field: string;
  readonly name: string;
  readonly form: Form;
}

const columnsOf = (list: readonly Column[]): Columns<object> => ({
  names: list.map(({ name }) => name).join(", "),
  marks: marks(list.length),
  values: (record) => list.map(({ field, form }) => form.write(Reflect.get(record, field))),
});

/** The table of a kind. */
export function describeTable<Kind extends TableKind>(kind: Kind): Table<Kind> {
  const { table = snakeCase(kind), columns = {}, forms = {}, unique }: Exception = exceptions[kind] ?? {};
  const nameOf = (field: string): string => columns[field] ?? snakeCase(field);
  const list = Array.from(recordForms(kind), ([field, form]): Column => {
    return { field, name: nameOf(field), form: forms[field] ?? formOf[form] };
  });
  const keys = recordKey(kind).map(nameOf);
  return {
    ...columnsOf(list),
    name: table,
    keys,
    unique: unique ?? keys,
    list: list.map(({ name }) => name),
    read: (row) =>
      parseRecord(kind, Object.fromEntries(list.map(({ field, name, form }) => [field, form.read(row, name)]))),
    without: (...fields) => columnsOf(list.filter(({ field }) => !fields.some((one) => one === field))),
  };
}
