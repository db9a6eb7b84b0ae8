/** A line of a table, with its number in the text, from 1. */
interface CsvRow {
  readonly line: number;
  readonly cells: readonly string[];
}

/** Puts the characters of a text into cells. */
class Reader {
  readonly rows: CsvRow[] = [];
  readonly #separator: string;
  #cells: string[] = [];
  #cell = "";
  /** True while the cell has nothing but spaces. To look at all of it for each quote would take the square of its length. */
  #isBlank = true;
  #line = 1;
  #begun = 1;
  #isQuoted = false;

  constructor(separator: string) {
    this.#separator = separator;
  }

  #add(character: string): void {
    this.#cell += character;
    if (this.#isBlank && character.trim() !== "") this.#isBlank = false;
  }

  #clear(): void {
    this.#cell = "";
    this.#isBlank = true;
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#clear();
  }

  endRow(): void {
    this.#endCell();
    if (this.#cells.some((cell) => cell.trim() !== "")) this.rows.push({ line: this.#begun, cells: this.#cells });
    this.#cells = [];
    this.#begun = this.#line;
  }

  #takeQuoted(character: string, next: string | undefined): number {
    if (character !== '"' || next === '"') this.#add(character);
    else this.#isQuoted = false;
    return character === '"' && next === '"' ? 2 : 1;
  }

  #takePlain(character: string): number {
    if (character === '"' && this.#isBlank) {
      this.#clear();
      this.#isQuoted = true;
    } else if (character === this.#separator) this.#endCell();
    else if (character === "\n") this.endRow();
    else if (character !== "\r") this.#add(character);
    return 1;
  }

  /** Takes a character, and returns how many were used. */
  take(character: string, next: string | undefined): number {
    if (character === "\n") this.#line += 1;
    return this.#isQuoted ? this.#takeQuoted(character, next) : this.#takePlain(character);
  }
}

const separators = [",", ";", "\t"] as const;

/** The separator that the first line has most of. */
function separatorOf(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const countOf = (separator: string): number => first.split(separator).length;
  return separators.reduce((best, one) => (countOf(one) > countOf(best) ? one : best));
}

/** Reads a table as spreadsheets write it (RFC 4180), with commas, semicolons or tabs. Empty lines are left out. */
export function readCsv(text: string): readonly CsvRow[] {
  const source = text.replace(/^\uFEFF/, "");
  const reader = new Reader(separatorOf(source));
  for (let at = 0; at < source.length;) at += reader.take(source.charAt(at), source[at + 1]);
  reader.endRow();
  return reader.rows;
}

/** A spreadsheet treats a cell that begins with one of these as a formula. */
const formulas: readonly string[] = ["=", "+", "-", "@", "\t", "\r"];

const cellOf = (value: string): string => {
  const safe = formulas.includes(value.charAt(0)) ? `'${value}` : value;
  return /[",;\r\n\t]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};

/** Writes a table for spreadsheets. No cell becomes a formula there. */
export const writeCsv = (rows: readonly (readonly (string | number | boolean | null)[])[]): string =>
  rows.map((row) => `${row.map((value) => cellOf(String(value ?? ""))).join(",")}\r\n`).join("");
