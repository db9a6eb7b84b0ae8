import { describe, expect, it } from "vitest";
import { nearest, suggestion } from "./nearest.ts";

const known = ["host", "port", "rateLimits", "baseUrl"];

describe("the nearest known word", () => {
  it("is found despite wrong, missing or extra letters", () => {
    expect(["prot", "hots", "ratelimit", "baseUri", "ports"].map((word) => nearest(word, known))).toEqual([
      "port",
      "host",
      "rateLimits",
      "baseUrl",
      "port",
    ]);
  });

  it("ignores the case and the separators of a word", () => {
    expect(["rate-limits", "RATE_LIMITS", "BASE-URL"].map((word) => nearest(word, known))).toEqual([
      "rateLimits",
      "rateLimits",
      "baseUrl",
    ]);
  });

  it("is not found for a word that resembles none", () => {
    expect(["frobnicate", "x", "", "hp", "x".repeat(1_000_000)].map((word) => nearest(word, known))).toEqual(
      Array.from({ length: 5 }),
    );
    expect(nearest("port", [])).toBeUndefined();
  });

  it("is suggested in a sentence, or nothing is", () => {
    expect([suggestion("prot", known), suggestion("frobnicate", known)]).toEqual([' Did you mean "port"?', ""]);
  });
});
