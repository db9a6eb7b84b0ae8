import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { hasCase, testsIn } from "./test/named-tests.ts";

const page = readFileSync(new URL("scaling.md", import.meta.url), "utf8");
const start = page.indexOf("## Promises and their tests");
const rows = page
  .slice(start, page.indexOf("\n## ", start + 1))
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Promise ") && !line.startsWith("| -"));

it("each promise of several servers names tests that there are", () => {
  expect(rows.length).toBeGreaterThanOrEqual(9);
  expect(rows.filter((row) => testsIn(row).length === 0)).toEqual([]);
  expect(rows.flatMap(testsIn).filter((test) => !hasCase(test))).toEqual([]);
});
