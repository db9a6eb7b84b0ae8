import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readSources, type Source } from "./boundaries/source.ts";
import { readFailedFiles } from "./ci/report.ts";
import { applyTo, mutantsOf } from "./mutants/places.ts";
import { createReach } from "./mutants/reach.ts";

/** The sources of a tree with these files. */
function tree(files: Readonly<Record<string, string>>): { readonly root: string; readonly sources: readonly Source[] } {
  const root = mkdtempSync(join(tmpdir(), "telex-mutants-test-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return { root, sources: readSources(root) };
}

const manifest = (name: string): string =>
  JSON.stringify({ name: `@telex/${name}`, exports: { ".": { "telex-source": "./src/index.ts" } } });

test("a file has a mutant for each place that a test should notice, and none in its types", () => {
  const text = `export type One = 1 | true;
export async function run(a: number, b: boolean): Promise<number> {
  if (!b && a < 3) throw new Error("no");
  await work();
  return b ? a : 2;
}`;
  const { sources } = tree({ "packages/core/src/run.ts": text });
  const changes = sources.flatMap(mutantsOf).map((one) => `${one.kind} ${one.text} | ${one.replacement}`);
  expect(changes.toSorted()).toEqual([
    "await await  | ",
    "comparison < | <=",
    "condition !b && a < 3 | !(!b && a < 3)",
    "condition b | !(b)",
    "logic && | ||",
    "negation ! | ",
    "number 2 | 3",
    "number 3 | 4",
    "statement await work(); | ;",
    'statement throw new Error("no"); | ;',
  ]);
});

test("a mutant changes its place alone, also after lines have moved, and nothing where its place is gone", () => {
  const text = "const a = 1;\nconst b = 2;\nexport const sum = (): boolean => a === b;\n";
  const { sources } = tree({ "packages/core/src/sum.ts": text });
  const [mutant] = sources.flatMap(mutantsOf).filter(({ kind }) => kind === "comparison");
  if (mutant === undefined) throw new Error("The file has a comparison.");
  expect(applyTo(text, mutant)).toBe(text.replace("===", "!=="));
  expect(applyTo(`// A file.\n\n${text}`, mutant)).toBe(`// A file.\n\n${text.replace("===", "!==")}`);
  expect(applyTo(text.replace("a === b", "a > b"), mutant)).toBeNull();
  expect(applyTo(text + text, mutant)).toBeNull();
});

test("the tests of a file are those that import it for a value, the nearest first", () => {
  const { root, sources } = tree({
    "packages/core/package.json": manifest("core"),
    "packages/core/src/index.ts": 'export { rule } from "./users/rule.ts";',
    "packages/core/src/users/rule.ts": "export const rule = 1;",
    "packages/core/src/users/rule.test.ts": 'import { rule } from "./rule.ts";',
    "packages/core/src/users/kind.test.ts": 'import type { rule } from "./rule.ts";',
    "packages/core/test/all.test.ts": 'import { rule } from "../src/index.ts";',
    "packages/core/test/named.test.ts": 'import * as core from "../src/index.ts"; core.users.rule;',
    "packages/http/package.json": manifest("http"),
    "packages/http/test/late.test.ts": 'const core = await import("@telex/core");',
  });
  const tests = new Set(sources.filter(({ isTest }) => isTest).map(({ path }) => path));
  expect(createReach(root, sources, tests).testsOf("packages/core/src/users/rule.ts")).toEqual([
    "packages/core/src/users/rule.test.ts",
    "packages/core/test/named.test.ts",
    "packages/core/test/all.test.ts",
    "packages/http/test/late.test.ts",
  ]);
});

test("a test that took too long says nothing about a mutant", () => {
  const { root } = tree({});
  const report = join(root, "report.json");
  const file = (name: string, ...messages: string[]) => ({
    name,
    status: "failed",
    assertionResults: messages.map((message) => ({ status: "failed", failureMessages: [message] })),
  });
  const testResults = [
    file("late", "Error: Test timed out in 60000ms."),
    file("wrong", "AssertionError: 1 is not 2"),
    file("broken"),
  ];
  writeFileSync(report, JSON.stringify({ numPassedTests: 0, numFailedTests: 2, testResults }));
  expect(readFailedFiles(report)).toEqual(["wrong", "broken"]);
  expect(readFailedFiles(join(root, "missing.json"))).toEqual([]);
});
