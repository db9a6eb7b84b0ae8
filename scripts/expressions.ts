import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { type Expression, expressionsOf, readVerdicts, verdictsPath } from "./boundaries/expressions.ts";
import { readSources } from "./boundaries/source.ts";

// The main file of the package starts native programs, which are not installed here. This file is the complete checker in JavaScript.
const checker: unknown = createRequire(import.meta.url)("recheck/lib/browser.js");
const { checkSync } = z
  .object({
    checkSync: z.custom<(pattern: string, flags: string, options: object) => unknown>(
      (one) => typeof one === "function",
    ),
  })
  .parse(checker);
const result = z.object({ status: z.enum(["safe", "vulnerable", "unknown"]) });

/** Milliseconds for one expression. */
const timeout = 60_000;

/**
 * The worst case of an expression: `safe` if its time is proportional to the length of the text.
 * The checker does not know the flag `v`. An expression that means something else with it has the verdict `unknown`.
 */
export function judge({
  pattern,
  flags,
}: {
  readonly pattern: string;
  readonly flags: string;
}): "safe" | "vulnerable" | "unknown" {
  const known = flags.replace("v", /&&|--|\\q/.test(pattern) ? "v" : "u");
  return result.parse(checkSync(pattern, known, { checker: "auto", timeout, seed: 1 })).status;
}

const isLinear = ({ literal }: Expression): boolean => literal !== null && judge(literal) === "safe";

/** Judges new expressions, and writes the verdicts. */
function main(root: string): number {
  const expressions = expressionsOf(readSources(root));
  const { linear, bounded } = readVerdicts(root);
  const used = new Set(expressions.map(({ text }) => text));
  const kept = new Set(linear.filter((text) => used.has(text)));
  const open = new Map<string, Expression>();
  for (const expression of expressions) {
    const { text } = expression;
    if (kept.has(text) || Object.hasOwn(bounded, text) || open.has(text)) continue;
    if (isLinear(expression)) kept.add(text);
    else open.set(text, expression);
  }
  const reasons = Object.entries(bounded).filter(([text]) => used.has(text));
  const verdicts = { linear: [...kept].toSorted((a, b) => (a < b ? -1 : 1)), bounded: Object.fromEntries(reasons) };
  writeFileSync(join(root, verdictsPath), `${JSON.stringify(verdicts, null, 2)}\n`);
  for (const { text, path, line } of open.values()) {
    console.log(`${path}:${line}: ${text} may take more than linear time. Change it, or write into`);
    console.log(`  "bounded" of ${verdictsPath} what bounds the text.`);
  }
  return open.size === 0 ? 0 : 1;
}

if (import.meta.main) {
  process.exitCode = main(resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url))));
}
