import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { checkBounds } from "./boundaries/bounds.ts";
import { checkDocs } from "./boundaries/docs.ts";
import { checkExports } from "./boundaries/exports.ts";
import { checkExpressions } from "./boundaries/expressions.ts";
import { checkForeign } from "./boundaries/foreign.ts";
import { checkImports } from "./boundaries/imports.ts";
import { checkStructure } from "./boundaries/layers.ts";
import { type Finding, readSources } from "./boundaries/source.ts";
import { checkSuppressions } from "./boundaries/suppressions.ts";
import { checkUnused } from "./boundaries/unused.ts";

/** Every broken rule of the tree at `root`, in the order of files and lines. Reads `packages/` and the shared tests in `tests/`. */
export function checkTree(root: string): Finding[] {
  const sources = readSources(root);
  const findings = [
    ...checkImports(root, sources),
    ...checkForeign(sources),
    ...checkStructure(sources),
    ...checkExports(sources),
    ...checkSuppressions(sources),
    ...checkDocs(root, sources),
    ...checkUnused(root, sources),
    ...checkBounds(sources),
    ...checkExpressions(root, sources),
  ];
  return findings.toSorted((a, b) => (a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1));
}

function main(root: string): number {
  const findings = checkTree(root);
  for (const { path, line, level, message } of findings) console.log(`${path}:${line}: ${level}: ${message}`);
  console.log(`boundaries: ${findings.length} errors`);
  return findings.length === 0 ? 0 : 1;
}

if (import.meta.main) {
  process.exitCode = main(resolve(process.argv[2] ?? fileURLToPath(new URL("..", import.meta.url))));
}
