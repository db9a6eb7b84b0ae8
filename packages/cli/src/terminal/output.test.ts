import { describe, expect, it } from "vitest";
import { jsonText, printable } from "./output.ts";

describe("a text of somebody else", () => {
  it("cannot move the cursor, break the line or turn the direction of writing", () => {
    expect(printable("a\u001B[2Jb\r\n\u009Bc\u202Ed\u2066e\u007F")).toBe(
      "a\\u{1b}[2Jb\\u{d}\\u{a}\\u{9b}c\\u{202e}d\\u{2066}e\\u{7f}",
    );
  });

  it("is the same value as JSON, with nothing that a terminal obeys", () => {
    const value = { "a\u009B": "b\u001B]0;title\u0007\u061C\u200F\u2028\u202E\u2069\n 茶馆" };
    for (const indent of [undefined, 2]) {
      const text = jsonText(value, indent);
      expect(JSON.parse(text)).toEqual(value);
      expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/u);
      expect(text).toContain("茶馆");
    }
  });

  it("keeps every letter, Han and emoji among them", () => {
    expect(printable("茶馆 👩‍👩‍👧 é ﷽")).toBe("茶馆 👩‍👩‍👧 é ﷽");
  });
});
