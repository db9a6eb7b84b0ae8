import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { createPinyin } from "../pinyin.ts";
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

it("gives messages the terms that they always had, which stored indexes consist of", async () => {
  const pinyin = createPinyin(10);
  const reader = createSearchReader((character) => pinyin.readingsOf(character));
  const digests = texts.map((text) => {
    const content = JSON.stringify([{ text: { text } }, { file: { relativePath: `a/b/${text}.txt`, isEXT: "0" } }]);
    const readings = JSON.stringify([{ text: { text: pinyin.text(text) } }]);
    const terms = new Set(reader.terms({ content, pinyin: readings, userId: "7", external: false }));
    const sorted = [...terms].toSorted((a, b) => a - b);
    return `${sorted.length} ${createHash("sha256").update(sorted.join()).digest("hex").slice(0, 16)}`;
  });
  expect(digests).toMatchInlineSnapshot(`
    [
      "82 a27baafacb442526",
      "39 371be1af094cede3",
      "58 71b0768f10529bc3",
      "28 a7ac15e47633980a",
      "80 bb279b21e8fbebd4",
      "42 7180f2d3d5d1f4f6",
      "27 823a903896569610",
      "4 da6e77109ec813ca",
      "18 30684a9a031169d9",
    ]
  `);
});
