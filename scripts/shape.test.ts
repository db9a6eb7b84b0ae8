import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { measureShape } from "./shape.ts";

it("counts the lines of files and functions and the holes in types, without tests", () => {
  const root = mkdtempSync(join(tmpdir(), "telex-shape-"));
  const files = {
    "packages/a/src/one.ts": "export function f() {\n  return 1;\n}\n",
    "packages/a/src/two.ts": `export const g = (x: any) => x!;\n${"// line\n".repeat(300)}`,
    "packages/a/src/two.test.ts": "export const h = (x: any) => x;\n",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
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
