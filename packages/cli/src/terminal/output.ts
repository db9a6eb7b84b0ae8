import { styleText } from "node:util";
import stringWidth from "fast-string-width";

/** Prints one JSON value on stdout, indented on a terminal. */
export function printJson(value: unknown): void {
  process.stdout.write(`${jsonText(value, process.stdout.isTTY ? 2 : undefined)}\n`);
}

/** Prints one line of JSON on stdout, also on a terminal: for commands that print several. */
export const printJsonLine = (value: unknown): void => print(jsonText(value));

/** Prints a line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const unprintable = /[\p{Cc}\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu;

/**
 * Makes an untrusted text safe for a terminal: control characters, line breaks and marks that change the direction of writing become
 * escapes, so that the text cannot control the terminal.
 */
export const printable = (text: string): string =>
  text.replaceAll(unprintable, (letter) => `\\u{${(letter.codePointAt(0) ?? 0).toString(16)}}`);

/** The lines of an untrusted text, safe for a terminal. */
export const printableLines = (text: string): string[] => text.split(/\r\n|\r|\n/).map(printable);

/**
 * A value as JSON that is safe for a terminal: characters that {@link printable} escapes become escapes of JSON, which keep the
 * value.
 */
export const jsonText = (value: unknown, indent?: number): string =>
  // In JSON, a line break is always outside strings.
  JSON.stringify(value, null, indent).replaceAll(unprintable, (letter) =>
    letter === "\n" ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

type Cell = string | number | boolean | null | undefined;

const cellText = (cell: Cell): string => {
  if (cell === null || cell === undefined || cell === "") return "-";
  return typeof cell === "boolean" ? (cell ? "yes" : "no") : printable(String(cell));
};

const pad = (text: string, width: number): string => text + " ".repeat(Math.max(0, width - stringWidth(text)));

/** Prints rows below their titles, with columns of the needed width. Han characters count twice. */
export function printTable(titles: readonly string[], rows: readonly (readonly Cell[])[]): void {
  for (const line of tableLines(titles, rows)) print(line);
}

/** The columns of a table: titles, and functions that read a cell from a row. */
type Columns<T> = Readonly<Record<string, (row: T) => Cell>>;

/** Prints a table with a line for each row. */
export function printRows<T>(rows: readonly T[], columns: Columns<T>): void {
  const cells = Object.values(columns);
  const shown = rows.map((row) => cells.map((cellOf) => cellOf(row)));
  printTable(Object.keys(columns), shown);
}

/** The lines of a table, titles first. */
export function tableLines(titles: readonly string[], rows: readonly (readonly Cell[])[]): string[] {
  const lines = rows.map((row) => row.map(cellText));
  const widths = titles.map((title, column) =>
    Math.max(stringWidth(title), ...lines.map((line) => stringWidth(line[column] ?? ""))),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => pad(cell, widths[column] ?? 0))
      .join("  ")
      .trimEnd();
  return [styleText("bold", line(titles)), ...lines.map(line)];
}

/** Prints names and values, one pair in each line. */
export function printFields(fields: Readonly<Record<string, Cell>>): void {
  for (const line of fieldLines(fields)) print(line);
}

/** The lines of names and values. */
export function fieldLines(fields: Readonly<Record<string, Cell>>): string[] {
  const width = Math.max(...Object.keys(fields).map((name) => name.length));
  return Object.entries(fields).map(([name, value]) => `${styleText("dim", pad(name, width))}  ${cellText(value)}`);
}
