import { describe, expect, it } from "vitest";
import { nearest } from "./nearest.ts";

const known = ["host", "port", "rateLimits", "baseUrl"];

describe("the nearest known word", () => {
  it("is found over letters that are wrong, missing or too many", () => {
    expect(["prot", "hots", "ratelimit", "baseUri", "ports"].map((word) => nearest(word, known))).toEqual([
      "port",
      "host",
      "rateLimits",
      "baseUrl",
      "port",
    ]);
  });

  it("does not look at the spelling of a word", () => {
    expect(["rate-limits", "RATE_LIMITS", "BASE-URL"].map((word) => nearest(word, known))).toEqual([
      "rateLimits",
      "rateLimits",
      "baseUrl",
    ]);
  });

  it("is found for a word of any length", () => {
    expect(known).toContain(nearest("x".repeat(1_000_000), known));
    expect(nearest("x", [])).toBeUndefined();
  });
});
