import { describe, expect, it } from "vitest";
import { satisfies } from "./satisfies.ts";

const range = "^22.23.0 || ^24.15.0 || >=26.10.0";

describe("a version in a range", () => {
  it.each(["22.23.0", "24.15.0", "24.21.3", "26.10.0", "26.12.1", "28.0.0"])("%s satisfies it", (version) => {
    expect(satisfies(version, range)).toBe(true);
  });

  it.each(["20.20.2", "22.22.9", "24.14.9", "25.9.0", "26.9.9"])("%s does not", (version) => {
    expect(satisfies(version, range)).toBe(false);
  });
});
