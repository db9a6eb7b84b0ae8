import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { hasCase, testsIn } from "./test/named-tests.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readFileSync(join(root, "docs/security/openid.md"), "utf8");

/** The rows of all tables: what they are about, their state, and tests or a reason. */
const rows = page.split("\n").flatMap((line) => {
  const [, name, state, reason] = /^\| (.+?) +\| (met|refused|not supported) +\| (.+?) +\|$/.exec(line) ?? [];
  return name === undefined || state === undefined || reason === undefined ? [] : [{ name, state, reason }];
});

describe("the tables of OpenID Connect", () => {
  it("have a state and a reason in each row, and each module once", () => {
    const lines = page
      .split("\n")
      .filter((line) => line.startsWith("| ") && !/^\| (-|Module|Specification)/.test(line));
    expect(rows).toHaveLength(lines.length);
    const modules = rows.map(({ name }) => name).filter((name) => name.includes("oidcc-"));
    expect({ all: modules.length, different: new Set(modules).size }).toEqual({ all: 39, different: 39 });
  });

  it("name tests that there are, and one for all that is met or refused", () => {
    const missing = rows.flatMap(({ name, reason }) =>
      testsIn(reason)
        .filter((test) => !hasCase(test))
        .map((test) => `${name}: ${test.file}: ${test.name}`),
    );
    expect(missing).toEqual([]);
    const bare = rows.filter(({ state, reason }) => state !== "not supported" && testsIn(reason).length === 0);
    expect(bare.map(({ name }) => name)).toEqual([]);
  });
});
