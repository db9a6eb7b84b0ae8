import { describe, expect, it } from "vitest";
import { encodeReceipt, type EncodeOptions, papers, type Picture, type Receipt } from "../src/index.ts";
import { decodeSheet } from "test-support/receipt-decoder";

const print = async (receipt: Receipt, options: EncodeOptions = {}) =>
  decodeSheet(await encodeReceipt(receipt, options), (options.paper ?? papers[58]).columns);

const textsOf = async (content: string, options?: EncodeOptions) =>
  (await print({ content }, options)).lines.map(({ text }) => text);

describe("a receipt", () => {
  it("has a heading, a title in large type, who sent it and when, the text, and a cut", async () => {
    const receipt = {
      content: "Hello\n\nGrüße",
      title: "Tea 茶",
      sender: "Alice",
      time: "2026-11-28 14:05",
      isAgain: true,
    };
    const { lines, cuts, codes } = await print(receipt);
    expect(lines).toEqual([
      { text: "(again)", isBold: true, size: [1, 1] },
      { text: "Tea 茶", isBold: true, size: [2, 2] },
      { text: "Alice  2026-11-28 14:05", isBold: false, size: [1, 1] },
      { text: "Hello", isBold: false, size: [1, 1] },
      { text: "Grüße", isBold: false, size: [1, 1] },
    ]);
    expect([cuts, codes]).toEqual([1, []]);
    expect((await print({ content: "x" }, { cut: false })).cuts).toBe(0);
  });

  it("prints Chinese in GB18030, two columns each, with its own yen sign", async () => {
    expect(await textsOf("你好，world ¥5 é€ ─█")).toEqual(["你好，world ￥5 é€ ─█"]);
    expect(await textsOf("龘靐鱻")).toEqual(["龘靐鱻"]);
    expect(await textsOf("字".repeat(40))).toEqual(["字".repeat(16), "字".repeat(16), "字".repeat(8)]);
    expect(await textsOf("字".repeat(40), { paper: papers[80] })).toEqual(["字".repeat(24), "字".repeat(16)]);
  });

  it("wraps after spaces and hyphens and next to Chinese characters, and cuts words that are too long", async () => {
    expect(await textsOf("The quick brown fox jumps over the lazy dog")).toEqual([
      "The quick brown fox jumps over",
      "the lazy dog",
    ]);
    expect(await textsOf(`${"x".repeat(40)} y`)).toEqual(["x".repeat(32), `${"x".repeat(8)} y`]);
    expect(await textsOf(`${"x".repeat(31)}字`)).toEqual(["x".repeat(31), "字"]);
    expect(await textsOf(`one ${"x".repeat(27)}字`)).toEqual([`one ${"x".repeat(27)}`, "字"]);
    expect(await textsOf(`one 字${"x".repeat(27)}`)).toEqual(["one 字", "x".repeat(27)]);
    expect(await textsOf(`one two-${"x".repeat(27)}`)).toEqual(["one two-", "x".repeat(27)]);
    expect(await textsOf(`   two words${" ".repeat(30)}end`)).toEqual(["   two words", "end"]);
  });

  it("lets no text command the printer", async () => {
    expect(await textsOf("a\u001B@b\u001Dr\u0001c\u0010\u0004\u0001d\u0000e\u009Bf")).toEqual(["a@brcdef"]);
  });

  it("draws a line with characters that the printer lacks, or prints question marks", async () => {
    const drawn: string[] = [];
    const picture: Picture = {
      width: 10,
      height: 2,
      gray: Uint8Array.from({ length: 20 }, (_, at) => (at < 10 ? 0 : 255)),
    };
    const draw = (text: string): Promise<Picture> => {
      drawn.push(text);
      return Promise.resolve(picture);
    };
    const { lines, pictures } = await print({ content: "one\ntwo 👩🏽‍🚒 三\nthree" }, { draw });
    expect(lines.map(({ text }) => text)).toEqual(["one", "three"]);
    expect(drawn).toEqual(["two 👩🏽🚒 三"]);
    expect(pictures).toEqual([["##########......", ...Array.from({ length: 7 }, () => ".".repeat(16))]]);
    expect(await textsOf("two 👩🏽 三")).toEqual(["two ?? 三"]);
    expect(await textsOf("two 👩🏽 三", { draw: () => Promise.resolve(null) })).toEqual(["two ?? 三"]);
  });

  it("prints pictures as dots, and cuts what is wider than the paper", async () => {
    const gray = new Uint8Array(400 * 300).fill(255);
    for (let row = 0; row < 300; row += 1) gray[row * 400 + row] = 0;
    const { pictures } = await print({ content: "x", picture: { width: 400, height: 300, gray } });
    const rows = pictures.flat().slice(0, 300);
    expect(rows.every((row) => row.length === 384)).toBe(true);
    expect(rows.every((row, at) => row.indexOf("#") === at && row.lastIndexOf("#") === at)).toBe(true);
    const wide = await print(
      { content: "x", picture: { width: 700, height: 8, gray: new Uint8Array(5600) } },
      { paper: papers[80] },
    );
    expect(wide.pictures.flat()[0]).toBe("#".repeat(576));
    const half = { width: 64, height: 64, gray: new Uint8Array(64 * 64).fill(128) };
    const black = (await print({ content: "x", picture: half })).pictures.flat().join("").replaceAll(".", "").length;
    expect(black / (64 * 64)).toBeCloseTo(0.5, 1);
  });

  it("prints each link as a QR code, at most three", async () => {
    const content =
      "See https://a.example/x?y=1, https://a.example/x?y=1 and (http://b.example). 见https://c.example/茶。 https://d.example";
    expect((await print({ content })).codes).toEqual([
      "https://a.example/x?y=1",
      "http://b.example/",
      "https://c.example/%E8%8C%B6",
    ]);
    expect((await print({ content }, { codes: false })).codes).toEqual([]);
  });

  it("refuses a paper that cannot be", async () => {
    await expect(encodeReceipt({ content: "x" }, { paper: { dots: 380, columns: 32 } })).rejects.toThrow(TypeError);
    await expect(encodeReceipt({ content: "x" }, { paper: { dots: 384, columns: 2 } })).rejects.toThrow(TypeError);
  });
});
