import { readFileSync } from "node:fs";
import { z } from "zod";
import { kinds } from "./places.ts";

/** The possible results of the tests on a mutant. */
export const outcomes = ["killed", "survived", "undecided", "gone"] as const;

const resultSchema = z.object({
  path: z.string(),
  kind: z.enum(kinds),
  text: z.string(),
  replacement: z.string(),
  context: z.string(),
  offset: z.int(),
  /** `undecided`: the time was over before a test failed or all passed. `gone`: the place is no longer in the sources. */
  outcome: z.enum(outcomes),
  /** The file of the first test that failed. */
  killer: z.string().nullable(),
});

/** A mutant with the result of the tests. */
export type Result = z.infer<typeof resultSchema>;

/** Reads the report of an earlier run. */
export const readResults = (path: string): Result[] =>
  z.array(resultSchema).parse(JSON.parse(readFileSync(path, "utf8")));

/** One line with the place of a mutant and the result of the tests. */
export function describeResult({ outcome, path, kind, text, replacement, killer }: Result): string {
  const short = (code: string): string => JSON.stringify(code.length > 60 ? `${code.slice(0, 60)}…` : code);
  const change = `${kind} ${short(text)} -> ${short(replacement)}`;
  return `${outcome.padEnd(9)} ${path}: ${change}${killer === null ? "" : ` (${killer})`}`;
}

/** The mutants that an earlier run killed and a later one did not. Places that are gone do not count. */
export const missedOf = (results: readonly Result[]): Result[] =>
  results.filter(({ outcome }) => outcome === "survived" || outcome === "undecided");
