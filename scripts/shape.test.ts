import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { measureShape, measureWhole } from "./shape.ts";

/** The root of a tree that holds just these files. */
function treeOf(files: Readonly<Record<string, string>>): string {
  const root = mkdtempSync(join(tmpdir(), "telex-shape-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** The figures of such a tree by their names, and the places of each. */
function figuresOf(files: Readonly<Record<string, string>>) {
  const meters = measureWhole(treeOf(files));
  return Object.fromEntries(meters.map(({ name, value, places }) => [name, [value, ...places]]));
}

it("counts the lines of files and functions and the holes in types, without tests", () => {
  const root = treeOf({
    "packages/a/src/one.ts": "export function f() {\n  return 1;\n}\n",
    "packages/a/src/two.ts": `export const g = (x: any) => x!;\n${"// line\n".repeat(300)}`,
    "packages/a/src/two.test.ts": "export const h = (x: any) => x;\n",
  });
  const [a, all] = measureShape(root);
  expect(a).toMatchObject({
    package: "a",
    files: 2,
    fileLines: [301, 301, 301],
    functions: 1,
    functionLines: [3, 3, 3],
    longFiles: ["packages/a/src/two.ts"],
    holes: 2,
  });
  expect(all).toMatchObject({ package: "all", files: 2 });
});

it("finds circles of files and of folders, also over types and over several steps", () => {
  const figures = figuresOf({
    "packages/a/src/one/x.ts": 'import type { Y } from "../two/y.ts";\n',
    "packages/a/src/two/y.ts": 'export { z } from "../three/z.ts";\n',
    "packages/a/src/three/z.ts": 'import "./other.ts";\n',
    "packages/a/src/three/other.ts": 'import "../one/another.ts";\n',
    "packages/a/src/one/another.ts": "export const a = 1;\n",
    "packages/b/src/p.ts": 'export type Q = import("./q.ts").Q;\n',
    "packages/b/src/q.ts": 'import "./p.ts";\nimport "./leaf.ts";\n',
    "packages/b/src/leaf.ts": "export const leaf = 1;\n",
    "packages/b/src/leaf.test.ts": 'import "./leaf.ts";\n',
  });
  expect(figures["circles of folders"]).toEqual([1, "packages/a/src/one packages/a/src/three packages/a/src/two"]);
  expect(figures["circles of files"]).toEqual([1, "packages/b/src/p.ts packages/b/src/q.ts"]);
});

it("counts imports from one folder with a contract into another", () => {
  const figures = figuresOf({
    "packages/core/src/users/contract.ts": "export const a = 1;\n",
    "packages/core/src/users/service.ts":
      'import "./contract.ts";\nimport "../rooms/deep/view.ts";\nimport "../time/now.ts";\n',
    "packages/core/src/users/service.test.ts": 'import "../rooms/contract.ts";\n',
    "packages/core/src/rooms/contract.ts": "export const b = 1;\n",
    "packages/core/src/rooms/deep/view.ts": 'import "../contract.ts";\n',
    "packages/core/src/time/now.ts": 'import "../rooms/contract.ts";\n',
  });
  expect(figures["imports between capabilities"]).toEqual([
    1,
    "packages/core/src/users/service.ts:2 packages/core/src/rooms/deep/view.ts",
  ]);
});

it("counts spreads of objects that hold everything", () => {
  const figures = figuresOf({
    "packages/a/src/x.ts":
      "f({ ...deps, ...own });\nexport const all = { ...options.inner, ...shared };\ng(...parts);\n",
  });
  expect(figures["wide spreads"]).toEqual([
    3,
    "packages/a/src/x.ts:1 ...deps",
    "packages/a/src/x.ts:2 ...shared",
    "packages/a/src/x.ts:3 ...parts",
  ]);
});

it("names the largest folder and the comments that begin with What", () => {
  const figures = figuresOf({
    "packages/a/src/x.ts": "/** What x is. */\nexport const x = 1;\n// Whatever.\n",
    "packages/a/src/y.ts": "/**\n * What y is.\n */\nexport const y = 1;\n",
  });
  expect(figures["files of the largest folder"]).toEqual([2, "packages/a/src: 2"]);
  expect(figures['comments that begin with "What"']).toEqual([2, "packages/a/src/x.ts:1", "packages/a/src/y.ts:1"]);
});
