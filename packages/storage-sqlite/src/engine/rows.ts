import type { SQLOutputValue } from "node:sqlite";

/** A row as `node:sqlite` answers it: columns by name, or by position if the statement is one of `Database.queryByPosition`. */
export type Row = Record<string | number, SQLOutputValue>;

type Column = string | number;

type Positions<Name extends string> = Readonly<Record<Name, number>>;

const hasAll = <Name extends string>(
  positions: Partial<Positions<Name>>,
  columns: readonly Name[],
): positions is Positions<Name> => columns.every((name, position) => positions[name] === position);

/**
 * The position of each column in a row of a statement that selects these columns in this order.
 * @throws Error if a column is there twice
 */
export function positionsOf<const Name extends string>(columns: readonly Name[]): Positions<Name> {
  const positions: Partial<Record<Name, number>> = {};
  for (const [position, name] of columns.entries()) positions[name] = position;
  if (!hasAll(positions, columns)) throw new Error(`A column is twice in ${columns.join(", ")}.`);
  return positions;
}

/** Columns are STRICT: another type is a fault in one of our statements. */
const wrongType = (column: Column, wanted: string): Error => new Error(`Column ${column} is no ${wanted}.`);

/** A column of type TEXT. */
export function text(row: Row, column: Column): string {
  const value = row[column];
  if (typeof value !== "string") throw wrongType(column, "text");
  return value;
}

/** A column of type INTEGER. */
export function integer(row: Row, column: Column): number {
  const value = row[column];
  if (typeof value !== "number") throw wrongType(column, "integer");
  return value;
}

/** A column of type BLOB. */
export function blob(row: Row, column: Column): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw wrongType(column, "blob");
  return value;
}

/** A column of type TEXT that may be NULL. */
export const textOrNull = (row: Row, column: Column): string | null =>
  row[column] === null ? null : text(row, column);

/** A column of type INTEGER that may be NULL. */
export const integerOrNull = (row: Row, column: Column): number | null =>
  row[column] === null ? null : integer(row, column);

/** A column that holds 0 or 1. */
export const flag = (row: Row, column: Column): boolean => integer(row, column) !== 0;

/** A column that holds one of a few values. */
export function oneOf<const T extends string | number>(row: Row, column: Column, values: readonly T[]): T {
  const match = values.find((value) => value === row[column]);
  if (match === undefined) throw wrongType(column, `value of ${values.join(", ")}`);
  return match;
}

/** A column that holds a JSON array of strings. */
export function textList(row: Row, column: Column): readonly string[] {
  const list: unknown = JSON.parse(text(row, column));
  if (!Array.isArray(list)) throw wrongType(column, "list");
  return list.map(String);
}
