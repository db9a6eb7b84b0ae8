import type { SQLOutputValue } from "node:sqlite";

/** A row as `node:sqlite` returns it: columns by name, or by position for statements of `Database.queryByPosition`. */
export type Row = Record<string | number, SQLOutputValue>;

type Column = string | number;

type Positions<Name extends string> = Readonly<Record<Name, number>>;

const hasAll = <Name extends string>(
  positions: Partial<Positions<Name>>,
  columns: readonly Name[],
): positions is Positions<Name> => columns.every((name, position) => positions[name] === position);

/**
 * The position of each column in a row of a statement that selects these columns in this order.
 * @throws Error if a column occurs twice
 */
export function positionsOf<const Name extends string>(columns: readonly Name[]): Positions<Name> {
  const positions: Partial<Record<Name, number>> = {};
  for (const [position, name] of columns.entries()) positions[name] = position;
  if (!hasAll(positions, columns)) throw new Error(`A column occurs twice in ${columns.join(", ")}.`);
  return positions;
}

/** Columns are STRICT, so another type is a bug in a statement. */
export const wrongType = (column: Column, wanted: string): Error =>
  new Error(`Column ${column} does not contain ${wanted}.`);

/** A column of type TEXT. */
export function text(row: Row, column: Column): string {
  const value = row[column];
  if (typeof value !== "string") throw wrongType(column, "text");
  return value;
}

/** A column of type INTEGER. */
export function integer(row: Row, column: Column): number {
  const value = row[column];
  if (typeof value !== "number") throw wrongType(column, "an integer");
  return value;
}

/** A column of type BLOB. */
export function blob(row: Row, column: Column): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw wrongType(column, "a blob");
  return value;
}

/** A column of type TEXT that may be NULL. */
export const textOrNull = (row: Row, column: Column): string | null =>
  row[column] === null ? null : text(row, column);

/** A column of type INTEGER that may be NULL. */
export const integerOrNull = (row: Row, column: Column): number | null =>
  row[column] === null ? null : integer(row, column);

/** A column with 0 or 1. */
export const flag = (row: Row, column: Column): boolean => integer(row, column) !== 0;

/** A column with one of a few values. */
export function oneOf<const T extends string | number>(row: Row, column: Column, values: readonly T[]): T {
  const match = values.find((value) => value === row[column]);
  if (match === undefined) throw wrongType(column, `one of ${values.join(", ")}`);
  return match;
}

/** A JSON array of strings. */
export function listOf(json: string, column: Column): readonly string[] {
  // Parsing it would cost each request of a device half a microsecond.
  if (json === "[]") return [];
  const values: unknown = JSON.parse(json);
  if (!Array.isArray(values)) throw wrongType(column, "a list");
  return values.map(String);
}

/** A column with a JSON array of strings. */
export const textList = (row: Row, column: Column): readonly string[] => listOf(text(row, column), column);
