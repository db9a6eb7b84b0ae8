import { fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { codePoints } from "@telex/ground/contract";
import { toMessages } from "./split.ts";

describe("a long answer", () => {
  it("is split between what a reader sees as characters", () => {
    const family = "👨‍👩‍👧‍👦";
    expect(toMessages(`ab${family}cd`, 8)).toEqual(["ab", `${family}c`, "d"]);
    expect(toMessages("e\u0301e\u0301e\u0301", 3)).toEqual(["e\u0301", "e\u0301", "e\u0301"]);
  });

  it("is split within a character where that is longer than a message", () => {
    expect(toMessages(`a${"\u0301".repeat(5)}`, 3)).toEqual(["a\u0301\u0301", "\u0301\u0301\u0301"]);
  });

  it("is none where it is nothing but white space", () => {
    expect(toMessages(" \n", 10)).toEqual([]);
  });

  it("comes back whole, in messages that are long enough and none too long", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (text, max) => {
        const messages = toMessages(text, max);
        expect(messages.join("")).toBe(text.trim() === "" ? "" : text);
        for (const message of messages) {
          expect(message).not.toBe("");
          expect(codePoints(message)).toBeLessThanOrEqual(max);
        }
      }),
    );
  });
});
