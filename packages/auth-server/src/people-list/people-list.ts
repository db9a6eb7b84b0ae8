import { readCsv } from "./csv.ts";

/** Maximum people in a list. */
export const mostListed = 1000;

/** Why a line of a list is refused: it has no username, a name is too long, or the list has too many lines. */
export type ListedProblem = "no_username" | "too_long" | "too_many";

/** A person of a list, and the line on which they stand. */
export interface Listed {
  readonly line: number;
  readonly username: string;
  /** Default: the username. */
  readonly nickname: string | undefined;
  /** Null for a line that can be imported as far as the list shows. */
  readonly problem: ListedProblem | null;
}

const names = ["username", "nickname"] as const;

/** Where the columns are: as the first line names them, or in this order. */
function columnsOf(first: readonly string[]): { readonly indexes: readonly number[]; readonly hasHeader: boolean } {
  const words = first.map((cell) => cell.trim().toLowerCase());
  const hasHeader = words.includes("username");
  return { hasHeader, indexes: hasHeader ? names.map((name) => words.indexOf(name)) : [0, 1] };
}

const length = (text: string): number => [...text].length;

function problemOf(username: string, nickname: string, index: number): ListedProblem | null {
  if (username === "") return "no_username";
  if (length(username) > 128 || length(nickname) > 64) return "too_long";
  return index >= mostListed ? "too_many" : null;
}

/**
 * Reads a list of people from a table: `username` and `nickname`, in columns that the first line names, or in this order. Other columns are
 * ignored. Lines above {@link mostListed} have the problem `too_many`.
 */
export function readPeopleList(text: string): readonly Listed[] {
  const rows = readCsv(text);
  const { indexes, hasHeader } = columnsOf(rows[0]?.cells ?? []);
  return rows.slice(hasHeader ? 1 : 0).map(({ line, cells }, index) => {
    const [username = "", nickname = ""] = indexes.map((column) => cells[column]?.trim() ?? "");
    const problem = problemOf(username, nickname, index);
    return { line, username, nickname: nickname === "" ? undefined : nickname, problem };
  });
}
