/**
 * The functions of `rows.ts` for rows of `Database.queryByPosition`. They are copies, because V8 reads an element quickly in a function that
 * gets only arrays: with the same functions for both, a page of history costs a tenth more in the process.
 */
import { listOf, type Row, wrongType } from "./rows.ts";

/** A column of type TEXT. */
export function textAt(row: Row, position: number): string {
  const value = row[position];
  if (typeof value !== "string") throw wrongType(position, "text");
  return value;
}

/** A column of type INTEGER. */
export function integerAt(row: Row, position: number): number {
  const value = row[position];
  if (typeof value !== "number") throw wrongType(position, "an integer");
  return value;
}

/** A column of type TEXT that may be NULL. */
export function textOrNullAt(row: Row, position: number): string | null {
  const value = row[position];
  if (typeof value !== "string" && value !== null) throw wrongType(position, "text");
  return value;
}

/** A column of type INTEGER that may be NULL. */
export function integerOrNullAt(row: Row, position: number): number | null {
  const value = row[position];
  if (typeof value !== "number" && value !== null) throw wrongType(position, "an integer");
  return value;
}

/** A column with 0 or 1. */
export const flagAt = (row: Row, position: number): boolean => integerAt(row, position) !== 0;

/** A column with a JSON array of strings. */
export const textListAt = (row: Row, position: number): readonly string[] => listOf(textAt(row, position), position);
