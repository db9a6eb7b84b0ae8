import type { z } from "zod";
import type { ProblemKey, TextParams } from "./keys.ts";
import { en } from "./en.ts";

/** One wrong field: its path, its problem, and the values for the description. */
export interface Issue {
  /** Dotted path into the input, `""` for the input itself. */
  readonly path: string;
  readonly problem: ProblemKey;
  readonly params: TextParams;
}

type Problem = Omit<Issue, "path">;
type RawIssue = z.core.$ZodIssue;

const isProblem = (word: string): word is ProblemKey => Object.hasOwn(en.problems, word);

const bound = (value: number | bigint, inclusive: boolean | undefined): string =>
  inclusive === false ? `(${value})` : String(value);

function tooSmall(issue: Extract<RawIssue, { code: "too_small" }>): Problem {
  const params = { min: bound(issue.minimum, issue.inclusive) };
  if (issue.origin === "string") return { problem: "too_short", params };
  return issue.origin === "array" ? { problem: "too_few", params } : { problem: "too_low", params };
}

function tooBig(issue: Extract<RawIssue, { code: "too_big" }>): Problem {
  const params = { max: bound(issue.maximum, issue.inclusive) };
  if (issue.origin === "string") return { problem: "too_long", params };
  return issue.origin === "array" ? { problem: "too_many", params } : { problem: "too_high", params };
}

type Union = Extract<RawIssue, { code: "invalid_union" }>;

/** The problem of a union if no branch fits: the types or words that would have been valid. */
function noBranch(issue: Union): Problem {
  if ("options" in issue && Array.isArray(issue.options))
    return { problem: "unknown_value", params: { expected: issue.options.map(String).join(", ") } };
  const types = issue.errors.flat().flatMap((one) => (one.code === "invalid_type" ? [one.expected] : []));
  return { problem: "wrong_type", params: { expected: [...new Set(types)].join(" | ") } };
}

function translate(issue: RawIssue): Problem {
  if (isProblem(issue.message)) return { problem: issue.message, params: {} };
  switch (issue.code) {
    case "invalid_type":
      return { problem: "wrong_type", params: { expected: issue.expected } };
    case "too_small":
      return tooSmall(issue);
    case "too_big":
      return tooBig(issue);
    case "invalid_value":
      return { problem: "unknown_value", params: { expected: issue.values.map(String).join(", ") } };
    case "invalid_union":
      return noBranch(issue);
    default:
      return { problem: "invalid", params: {} };
  }
}

interface Located {
  readonly issue: RawIssue;
  readonly path: readonly PropertyKey[];
}

const misses = ({ code, path }: RawIssue): boolean =>
  path.length === 0 && (code === "invalid_type" || code === "invalid_value" || code === "invalid_union");

/** For a list, the issues of its elements. For a union, the issues of the branch whose type fits, which the caller probably meant. */
function locate(issue: RawIssue, base: readonly PropertyKey[]): Located[] {
  const path = [...base, ...issue.path];
  if (issue.code === "invalid_element") return issue.issues.flatMap((one) => locate(one, path));
  const meant =
    issue.code === "invalid_union" && !isProblem(issue.message)
      ? issue.errors.find((branch) => branch.length > 0 && !branch.some(misses))
      : undefined;
  return meant === undefined ? [{ issue, path }] : meant.flatMap((one) => locate(one, path));
}

const at = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (inner, key) => (typeof inner === "object" && inner !== null ? Reflect.get(inner, key) : undefined),
    value,
  );

/** Maximum issues in an error, because an input with many elements may have very many. */
const mostIssues = 20;

/**
 * Converts the issues of a schema into those of Telex. A schema selects a problem of the catalogue with the problem's key as
 * its message. A missing field is always `required`, regardless of its schema. Returns only the first 20.
 */
export const issuesOf = (error: z.ZodError, input: unknown): Issue[] =>
  error.issues
    .slice(0, mostIssues)
    .flatMap((issue) => locate(issue, []))
    .slice(0, mostIssues)
    .map(({ issue, path }) => {
      return {
        path: path.map(String).join("."),
        ...(at(input, path) === undefined ? { problem: "required" as const, params: {} } : translate(issue)),
      };
    });
