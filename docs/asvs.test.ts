import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hasCase, testsIn } from "./test/named-tests.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/security/asvs.md"), "utf8");

interface Row {
  readonly id: string;
  readonly state: string;
  readonly reason: string;
}

/** The rows of the requirements. */
const rows: readonly Row[] = page.split("\n").flatMap((line) => {
  const [, id, state, reason] = /^\| (\d+\.\d+\.\d+) +\| [12] +\| ([\w ]+?) +\| (.*?) +\|$/.exec(line) ?? [];
  return id === undefined || state === undefined || reason === undefined ? [] : [{ id, state, reason }];
});

/** Requirements of levels 1 and 2 in each chapter of version 5.0.0. */
const perChapter = [27, 11, 19, 10, 9, 35, 18, 7, 7, 29, 14, 9, 13, 9, 13, 16, 7];

describe("the table of the ASVS", () => {
  it("names every requirement of levels 1 and 2 once", () => {
    const counts = Map.groupBy(rows, ({ id }) => id.split(".")[0] ?? "");
    expect([...counts.values()].map(({ length }) => length)).toEqual(perChapter);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  });

  it("gives each requirement one of four states", () => {
    const states = new Set(["met", "operator", "does not apply", "not met"]);
    expect(rows.filter(({ state, reason }) => !states.has(state) || reason === "")).toEqual([]);
  });

  it("names tests that there are", () => {
    const missing = rows.flatMap((row) =>
      testsIn(row.reason)
        .filter((test) => !hasCase(test))
        .map(({ file, name }) => `${row.id}: ${file}: ${name}`),
    );
    expect(missing).toEqual([]);
  });

  it("names headings that there are", () => {
    const cited = [...page.matchAll(/\]\(([\w./-]+\.md)\), "([^"]+)"/g)];
    const missing = cited.filter(([, path = "", heading = ""]) => {
      const text = readFileSync(join(root, "docs/security", path), "utf8");
      return !text.split("\n").some((line) => /^#+ /.test(line) && line.replace(/^#+ /, "") === heading);
    });
    expect(cited.length).toBeGreaterThan(10);
    expect(missing.map(([cell]) => cell)).toEqual([]);
  });

  it("lists at its end what is not met, and nothing else", () => {
    const end = page.slice(page.indexOf("\n## Not met"));
    const listed = [...end.matchAll(/^- \*\*([\d.]+)\*\*: /gm)].map(([, id]) => id);
    expect(listed).toEqual(rows.filter(({ state }) => state === "not met").map(({ id }) => id));
  });
});
