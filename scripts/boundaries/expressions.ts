import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type Finding, type Source, visit } from "./source.ts";

/** The file of the verdicts, which take minutes to compute. `scripts/expressions.ts` writes it. */
export const verdictsPath = "scripts/boundaries/expressions.json";

const verdictsSchema = z.strictObject({
  /** Expressions whose time is proportional to the length of any text. */
  linear: z.array(z.string()),
  /** Other expressions, or unknown ones, with the reason why they are harmless. */
  bounded: z.record(z.string(), z.string().min(20)),
});

/** The verdicts on the expressions of the sources. */
export type Verdicts = z.output<typeof verdictsSchema>;

/** The verdicts of the tree at `root`; empty if it has no file of verdicts. */
export function readVerdicts(root: string): Verdicts {
  const path = join(root, verdictsPath);
  return existsSync(path) ? verdictsSchema.parse(JSON.parse(readFileSync(path, "utf8"))) : { linear: [], bounded: {} };
}

/** An expression of a source. */
export interface Expression {
  /** The source text. */
  readonly text: string;
  /** Null for an expression that the program builds at run time. */
  readonly literal: { readonly pattern: string; readonly flags: string } | null;
  readonly path: string;
  readonly line: number;
}

/** An expression without unbounded repetition takes bounded time at each position. */
const isRepeating = (pattern: string): boolean => /[*+]|\{\d+,\}/.test(pattern);

/** The expressions of the sources that repeat something without a bound. */
export function expressionsOf(sources: readonly Source[]): readonly Expression[] {
  return sources
    .filter(({ isTest }) => !isTest)
    .flatMap(({ path, program, text, lineOf }) => {
      const found: Expression[] = [];
      visit(program, {
        Literal(node) {
          if (!("regex" in node) || !isRepeating(node.regex.pattern)) return;
          const { pattern, flags } = node.regex;
          found.push({ text: `/${pattern}/${flags}`, literal: { pattern, flags }, path, line: lineOf(node.start) });
        },
        NewExpression(node) {
          if (node.callee.type !== "Identifier" || node.callee.name !== "RegExp") return;
          found.push({ text: text.slice(node.start, node.end), literal: null, path, line: lineOf(node.start) });
        },
      });
      return found;
    });
}

/** Every expression with unbounded repetition needs a verdict: linear, or a reason why it is harmless. */
export function checkExpressions(root: string, sources: readonly Source[]): Finding[] {
  const { linear, bounded } = readVerdicts(root);
  const known = new Set([...linear, ...Object.keys(bounded)]);
  const expressions = expressionsOf(sources);
  const used = new Set(expressions.map(({ text }) => text));
  const unknown = expressions
    .filter(({ text }) => !known.has(text))
    .map(({ path, line, text }) => ({
      path,
      line,
      level: "error" as const,
      message: `${text} has not been checked: run npx node scripts/expressions.ts`,
    }));
  const unused = [...known]
    .filter((text) => !used.has(text))
    .map((text) => ({
      path: verdictsPath,
      line: 1,
      level: "error" as const,
      message: `no source has ${text} any more: run npx node scripts/expressions.ts`,
    }));
  return [...unknown, ...unused];
}
