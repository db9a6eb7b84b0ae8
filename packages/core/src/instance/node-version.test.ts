import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { assertNode } from "./node-version.ts";

describe("an old Node", () => {
  it("is refused with the versions that every package names in its engines", () => {
    const manifest = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
    const named = [...manifest.matchAll(/"node": "([^"]+)"/g)].flatMap(
      ([, range = ""]) => range.match(/\d+\.\d+/g) ?? [],
    );
    expect(() => assertNode("20.20.2")).toThrow("This is Node 20.20.2.");
    expect(named).toHaveLength(3);
    for (const version of named) expect(() => assertNode("18.0.0")).toThrow(version);
  });

  it("is not one that is supported", () => {
    for (const version of ["22.23.0", "24.15.0", "26.10.0", "28.0.0"]) expect(() => assertNode(version)).not.toThrow();
  });
});
