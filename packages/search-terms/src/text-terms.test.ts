import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createPinyin } from "./pinyin.ts";
import { createSearchReader } from "./reader.ts";

const texts = [
  "今天天气很好,我们一起去公园散步吧 (a line of chat)",
  "萬與醜 専業 traditional 與 simplified 与",
  "iPhone16的发布会abc中文longerThanEightLetters中",
  "Élan naïve ﬁne ß STRASSE ｆｕｌｌ １２３",
  "长大 长度 银行 行走 重庆 重要 〇一二 绿 lü4",
  "हिन्दी ภาษาไทย 日本語のテキスト 한국어 עברית",
  "𠮷野家 emoji 👨‍👩‍👧 中👍文 a👍b",
  " ,.;: -- ",
  "兙瓩 ng 嗯 呣 嘸",
];

const createReader = () => {
  const pinyin = createPinyin(10);
  const reader = createSearchReader((character) => pinyin.readingsOf(character));
  const terms = (text: string): readonly number[] => {
    const content = JSON.stringify([{ text: { text } }, { file: { relativePath: `a/b/${text}.txt`, isEXT: "0" } }]);
    const readings = JSON.stringify([{ text: { text: pinyin.text(text) } }]);
    const all = new Set(reader.terms({ content, pinyin: readings, userId: "7", external: false }));
    return [...all].toSorted((a, b) => a - b);
  };
  return { pinyin, reader, terms };
};

const digestOf = (terms: readonly number[]): string =>
  createHash("sha256").update(terms.join()).digest("hex").slice(0, 16);

it("gives messages the terms that they always had, which stored indexes consist of", () => {
  const { terms } = createReader();
  const digests = texts.map((text) => `${terms(text).length} ${digestOf(terms(text))}`);
  expect(digests).toMatchInlineSnapshot(`
    [
      "82 a27baafacb442526",
      "43 4531698df39a7b3c",
      "58 71b0768f10529bc3",
      "28 a7ac15e47633980a",
      "80 bb279b21e8fbebd4",
      "43 0312649d0eae80f9",
      "27 823a903896569610",
      "4 da6e77109ec813ca",
      "19 6f09ea228ee67045",
    ]
  `);
});

it("gives characters and their neighbours the terms that they always had", () => {
  const { terms } = createReader();
  const all: number[] = [];
  for (let first = 0x20; first < 0x54_00; first += 64) {
    if (first >= 0x06_00 && first < 0x4e_00) continue;
    const codes = Array.from({ length: 64 }, (_, index) => first + index);
    all.push(
      ...terms(String.fromCodePoint(...codes)),
      ...terms(codes.map((code) => String.fromCodePoint(code)).join("a")),
    );
  }
  expect(`${all.length} ${digestOf(all)}`).toMatchInlineSnapshot(`"12381 0ddb03bda55c5b48"`);
});

it("reads a message of one text as every other", () => {
  const { pinyin, reader } = createReader();
  for (const text of ["长大 ok", 'a "quoted" 词', "tab\t中", "back\\slash", "", '"}}]']) {
    const segment = { text: { text } };
    const reading = { text: { text: pinyin.text(text) } };
    const message = {
      userId: "7",
      external: false,
      content: JSON.stringify([segment]),
      pinyin: JSON.stringify([reading]),
    };
    const spaced = {
      ...message,
      content: JSON.stringify([segment], null, 1),
      pinyin: JSON.stringify([reading], null, 1),
    };
    expect(reader.terms(message)).toEqual(reader.terms(spaced));
  }
});
