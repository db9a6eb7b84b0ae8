import { describe, expect, it } from "vitest";
import { createPinyin } from "./pinyin.ts";
import { createSearchReader } from "./reader.ts";

const pinyin = createPinyin(10);

/** A message with a text, as it is stored. */
const message = (text: string) => ({
  userId: "7",
  external: false,
  content: JSON.stringify([{ text: { text } }]),
  pinyin: JSON.stringify([{ text: { text: pinyin.text(text) } }]),
});

describe("a character", () => {
  it.each([
    ["of the basic plane", 0x4e00],
    ["of another plane", 0x20000],
    ["that is another form of one", 0x2f800],
  ])("%s is looked up in the dictionary once, however often messages have it", (_where, first) => {
    const lookedUp: string[] = [];
    const counting = createSearchReader((hanzi) => {
      lookedUp.push(hanzi);
      return pinyin.readingsOf(hanzi);
    });
    const text = Array.from({ length: 500 }, (_, at) => String.fromCodePoint(first + (at % 10))).join("");
    const written = message(text);
    counting.terms(written);
    counting.open(written);
    expect(lookedUp.length).toBeGreaterThan(0);
    expect(lookedUp.length).toBeLessThanOrEqual(20);
  });

  it("of another plane is read alike when it was forgotten", () => {
    const all = Array.from({ length: 10_000 }, (_, at) => String.fromCodePoint(0x20000 + at)).join("");
    const text = "𠮷野家";
    const reader = createSearchReader((hanzi) => pinyin.readingsOf(hanzi));
    const terms = reader.terms(message(text));
    reader.terms(message(all));
    expect(reader.terms(message(text))).toEqual(terms);
  });
});
