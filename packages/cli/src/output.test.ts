import { describe, expect, it } from "vitest";
import { printable } from "./output.ts";

describe("a text of somebody else", () => {
  it("cannot move the cursor, break the line or turn the direction of writing", () => {
    expect(printable("a\u001B[2Jb\r\n\u009Bc\u202Ed\u2066e\u007F")).toBe(
      "a\\u{1b}[2Jb\\u{d}\\u{a}\\u{9b}c\\u{202e}d\\u{2066}e\\u{7f}",
    );
  });

  it("keeps every letter, Han and emoji among them", () => {
    expect(printable("茶馆 👩‍👩‍👧 é ﷽")).toBe("茶馆 👩‍👩‍👧 é ﷽");
  });
});
