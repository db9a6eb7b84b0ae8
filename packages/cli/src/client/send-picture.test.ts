import { describe, expect, it } from "vitest";
import { toMessages } from "./send-picture.ts";

describe("a picture in messages", () => {
  it("is whole lines, as many as fit", () => {
    const line = "x".repeat(69);
    const text = `${Array.from({ length: 60 }, () => line).join("\n")}\n`;
    const messages = toMessages(text, 2000);
    expect(messages.map((message) => message.split("\n").length)).toEqual([28, 28, 4]);
    expect(messages.join("\n")).toBe(text.replace(/\n$/, ""));
    for (const message of messages) expect(message.length).toBeLessThanOrEqual(2000);
  });

  it("counts code points", () => {
    expect(toMessages("😀😀\n😀😀\n", 5)).toEqual(["😀😀\n😀😀"]);
    expect(toMessages("😀😀\n😀😀\n", 4)).toEqual(["😀😀", "😀😀"]);
  });
});
