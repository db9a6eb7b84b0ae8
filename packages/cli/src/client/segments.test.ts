import { describe, expect, it } from "vitest";
import { contentLines } from "./segments.ts";

describe("a stored message on a terminal", () => {
  it("shows each kind of segment", () => {
    const content = [
      { reply: { id: "", messageId: "7" } },
      { at: { ext: "1", name: "alice" } },
      { text: { text: "看:" } },
      { image: { file: "a.jpg", summary: "" } },
      { file: { relativePath: "x/y.pdf" } },
      { dance: {} },
    ];
    expect(contentLines(JSON.stringify(content))).toEqual([
      "[reply to 7] @alice 看:[picture a.jpg][file x/y.pdf][unknown]",
    ]);
  });

  it("keeps line breaks and nothing else that moves the cursor", () => {
    expect(contentLines(JSON.stringify([{ text: { text: "a\r\nb\u001B[H\nc" } }]))).toEqual(["a", "b\\u{1b}[H", "c"]);
  });
});
