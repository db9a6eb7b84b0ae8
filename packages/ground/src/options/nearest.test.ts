import { describe, expect, it } from "vitest";
import { nearest, suggestion } from "./nearest.ts";

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

  it("is not found for a word that is like none", () => {
    expect(["frobnicate", "x", "", "hp", "x".repeat(1_000_000)].map((word) => nearest(word, known))).toEqual(
      Array.from({ length: 5 }),
    );
    expect(nearest("port", [])).toBeUndefined();
  });

  it("is suggested in a sentence, or nothing is", () => {
    expect([suggestion("prot", known), suggestion("frobnicate", known)]).toEqual([' Did you mean "port"?', ""]);
  });
});
