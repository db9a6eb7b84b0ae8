import { character, fc } from "test-support/property";
import { describe, expect, it } from "vitest";
import { createPinyin } from "./pinyin.ts";
import { containsWord } from "../test/search-oracle.ts";
import type { Finding } from "./match.ts";
import { createSearchReader, joinMatches, type MessageMatch } from "./reader.ts";
import { characterTerm } from "./term-numbers.ts";

const pinyin = createPinyin(10);
const reader = createSearchReader((hanzi) => pinyin.readingsOf(hanzi));

const written = (text: string): string => JSON.stringify([{ text: { text } }]);

/** A message with these texts, as it is stored. */
const message = (...texts: readonly string[]) => ({
  userId: "7",
  external: false,
  content: JSON.stringify(texts.map((text) => ({ text: { text } }))),
  pinyin: JSON.stringify(texts.map((text) => ({ text: { text: pinyin.text(text) } }))),
});

function finish(finding: Finding<MessageMatch>): readonly MessageMatch[] {
  for (;;) {
    const { done, value } = finding.next();
    if (done === true) return value;
  }
}

const match = (searched: Parameters<typeof reader.open>[0], query: string) =>
  joinMatches(reader.words(query).map((word) => finish(reader.open(searched)(word))));

/** The parts of a text that a query marks. */
const found = (text: string, query: string): string[] =>
  match(message(text), query).map(({ start, end }) => text.slice(start, end));

const hasAll = (terms: ReadonlySet<number>, spelling: readonly number[]): boolean =>
  spelling.every((term) => terms.has(term));

/** True if the index finds a text. */
function isIndexed(text: string, query: string): boolean {
  const terms = new Set(reader.terms(message(text)));
  return reader.words(query).every((word) => reader.spellings(word).some((spelling) => hasAll(terms, spelling)));
}

describe("a query finds", () => {
  it.each([
    ["你好世界", "nihao", "你好"],
    ["你好世界", "ni3hao3", "你好"],
    ["你好世界", "nh", "你好"],
    ["你好世界", "nhao", "你好"],
    ["你好世界", "niha", "你好"],
    ["你好世界", "你hao", "你好"],
    ["你好世界", "n好", "你好"],
    ["你好世界", "好世", "好世"],
    ["你好世界", "haoshijie", "好世界"],
    ["你好世界", "s", "世"],
    ["中国人", "zhg", "中国"],
    ["中国人", "zgr", "中国人"],
    ["妈妈", "ma1ma5", "妈妈"],
    ["妈妈", "ma1ma0", "妈妈"],
    ["绿色", "lvse", "绿色"],
    ["绿色", "lüse", "绿色"],
    ["绿色", "luse", "绿色"],
    ["女孩", "nv3hai2", "女孩"],
    ["银行", "yinhang", "银行"],
    ["银行", "yinxing", "银行"],
    ["銀行", "银行", "銀行"],
    ["银行", "銀行", "银行"],
    ["車站", "车站", "車站"],
    ["车站", "車站", "车站"],
    ["車站", "chezhan", "車站"],
    ["曬佈", "晒布", "曬佈"],
    ["裏爲", "里为", "裏爲"],
    ["説衆", "說众", "説衆"],
    ["羣鷄綫", "群鸡线", "羣鷄綫"],
    ["乾隆乾淨", "干隆干净", "乾隆乾淨"],
    ["什麼", "shenme", "什麼"],
    ["不是", "bu2shi4", "不是"],
    ["不是", "bu4shi4", "不是"],
    ["卡拉OK厅", "ok", "OK"],
    ["卡拉OK厅", "拉ok厅", "拉OK厅"],
    ["卡拉OK厅", "kalaokting", "卡拉OK厅"],
    ["B站", "bzhan", "B站"],
    ["2019年度", "2019nian", "2019年"],
    ["Hello World", "wor", "Wor"],
    ["Hello World", "HELLO", "Hello"],
    ["Ｗｉｄｅ", "wide", "Ｗｉｄｅ"],
    ["café", "cafe", "café"],
    ["cafe\u0301!", "café", "cafe\u0301"],
    ["Straße", "strasse", "Straße"],
    ["ﬁne", "fi", "ﬁ"],
    ["ΣΊΣΥΦΟΣ", "σίσυφος", "ΣΊΣΥΦΟΣ"],
    ["한국어", "한국", "한국"],
    ["😀你好", "你好", "你好"],
    ["𠮷野家", "𠮷野", "𠮷野"],
    ["𠮷野家", "𠮷ye", "𠮷野"],
    ["a.b@example.com", "example.com", "example"],
    ["㊗你", "祝", "㊗"],
  ])("in %j by %j: %j", (text, query, shown) => {
    expect(found(text, query)).toContain(shown);
    expect(isIndexed(text, query)).toBe(true);
  });
});

describe("a query in traditional characters finds what an earlier version has indexed", () => {
  it.each([
    ["曬", "曬", "晒"],
    ["曬佈", "曬佈", "晒布"],
    ["車曬站", "車曬站", "晒"],
    ["車站在說什麽話羣裏", "車站在說什麽話羣裏", "么群里"],
    ["ok羣", "ok羣", "群"],
  ])("%j by %j, without the terms of %j", (text, query, unknown) => {
    const later = new Set([...unknown].map(characterTerm));
    const terms = new Set(reader.terms(message(text)).filter((term) => !later.has(term)));
    const [word = []] = reader.words(query);
    expect(reader.spellings(word).some((spelling) => hasAll(terms, spelling))).toBe(true);
  });
});

it.each(["鍾锺", "鉋刨", "諮谘", "麴麹", "鹼硷", "鈽钚"])(
  "the version before has indexed %j as the second of them",
  (pair) => {
    const [typed = "", form = ""] = pair;
    const [word = []] = reader.words(typed);
    expect(reader.spellings(word).some((spelling) => spelling.includes(characterTerm(form)))).toBe(true);
  },
);

describe("a query does not find", () => {
  it.each([
    ["你好世界", "ni2hao3"],
    ["你好世界", "ni3hao1"],
    ["你，好", "你好"],
    ["你 好", "nihao"],
    ["你好世界", "你世"],
    ["你好世界", "ihao"],
    ["你好世界", "nihax"],
    ["妈妈", "ma1ma1ma1"],
    ["路", "lv3"],
    ["Hello World", "ello"],
    ["Hello World", "helloworld"],
    ["hello", "hello2"],
    ["vase", "uase"],
    ["zhong", "zhg"],
    ["你zhong好", "你zho好"],
  ])("in %j by %j", (text, query) => {
    expect(found(text, query)).toEqual([]);
  });
});

const pieces = fc.constantFrom(
  ..."你好妈长長银銀行女绿乐站发髮發重不是中国了地んガ각",
  ..."abhinuvzgo35ＮéßＡ",
  "ni",
  "hao",
  "zh",
  "chang",
  "ok",
  "\u0301",
  " ",
  "，",
  "😀",
  "𠮷",
);
const texts = fc.array(pieces, { maxLength: 12 }).map((parts) => parts.join(""));
const wordPieces = fc.constantFrom(
  ..."你好妈长長银行女绿乐站发髮中国一是",
  ..."abhinuvzgosc035ＮéßＡ",
  "ni",
  "nu",
  "hao",
  "ha",
  "ma1",
  "zh",
  "chan",
  "zhang3",
  "ok",
  "𠮷",
);
const words = fc.array(wordPieces, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(""));

/** A word of a text as people type it, so that many cases match. */
const typed = fc
  .tuple(texts, fc.nat(12), fc.nat(12), fc.constantFrom("text", "pinyin", "initials"))
  .map(([text, from, length, how]): [string, string] => {
    const part = text
      .slice(from, from + length + 1)
      .toWellFormed()
      .replaceAll(/[^\p{L}\p{N}]/gu, "");
    const syllables = pinyin.text(part).split(" ");
    if (how === "initials") return [text, syllables.map((one) => one.charAt(0)).join("")];
    return [text, how === "text" ? part : syllables.map((one) => one.replace(/\d$/, "")).join("")];
  })
  .filter(([, word]) => word !== "" && word.isWellFormed());

describe("for any text and word", () => {
  const pairs = fc.oneof(fc.tuple(texts, words), typed);

  it("what is found is what reading every message finds", () => {
    fc.assert(
      fc.property(pairs, ([text, word]) => {
        expect(found(text, word).length > 0).toBe(containsWord(text, word));
      }),
      { numRuns: 400 },
    );
  });

  it("the index has every text that matches", () => {
    let matching = 0;
    fc.assert(
      fc.property(pairs, ([text, word]) => {
        if (!containsWord(text, word)) return;
        matching += 1;
        expect(isIndexed(text, word)).toBe(true);
      }),
      { numRuns: 400 },
    );
    expect(matching).toBeGreaterThan(80);
  });

  it("what is shown contains the word, and nothing is left over", () => {
    fc.assert(
      fc.property(pairs, ([text, word]) => {
        for (const shown of found(text, word)) {
          expect(shown.isWellFormed()).toBe(true);
          expect(shown).toBe(shown.trim());
          expect(found(shown, word).length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 200 },
    );
  });

  it("a message does not match where one of the words is missing", () => {
    fc.assert(
      fc.property(texts, fc.array(words, { minLength: 2, maxLength: 3 }), (text, several) => {
        const all = several.every((word) => containsWord(text, word));
        expect(found(text, several.join(" ")).length > 0).toBe(all);
      }),
      { numRuns: 400 },
    );
  });

  it("any text and any query are read without a fault", () => {
    const any = fc.string({ unit: character, maxLength: 60 });
    fc.assert(
      fc.property(any, any, (text, query) => {
        for (const { start, end } of match(message(text), query)) {
          expect(text.slice(start, end)).not.toBe("");
        }
        for (const word of reader.words(query)) expect(reader.spellings(word).length).toBeLessThanOrEqual(64);
      }),
    );
  });
});

describe("a message", () => {
  it("is searched in each of its texts and file names, and says in which", () => {
    const stored = {
      userId: "7",
      external: false,
      content: JSON.stringify([
        { at: { ext: "1", name: "report" } },
        { text: { text: "see the Report" } },
        { file: { relativePath: `${"a1".repeat(16)}/季度report.pdf`, isEXT: "0" } },
        { file: { file: "report of others" } },
      ]),
      pinyin: "",
    };
    expect(match(stored, "report")).toEqual([
      { segment: 1, start: 8, end: 14 },
      { segment: 2, start: 2, end: 8 },
      { segment: 3, start: 0, end: 6 },
    ]);
    expect(match(stored, "jidu pdf see")).toHaveLength(3);
    expect(match(stored, "a1a1")).toEqual([]);
  });

  it("is found under every reading that is stored, also where the dictionary has another one", () => {
    const stored = { content: written("还"), pinyin: written("kai2") };
    expect(match(stored, "kai2")).toHaveLength(1);
    expect(match(stored, "huan2")).toHaveLength(1);
  });

  it("that is no JSON, or has another form, has no texts", () => {
    for (const content of ["", "hello", "{}", '[{"text":"hello"}]']) {
      expect(match({ content, pinyin: content }, "hello")).toEqual([]);
    }
  });
});

describe("a query", () => {
  it("of punctuation, emoji or spaces has no words", () => {
    expect(["?!。，", "😀👨‍👩‍👧", " \u3000\t"].map((query) => reader.words(query).length)).toEqual([0, 0, 0]);
  });

  it("of 128 letters has as few spellings as any other", () => {
    for (const query of [
      "a".repeat(128),
      "zh".repeat(64),
      "xian".repeat(32),
      "車".repeat(128),
      "a車".repeat(64),
      "𐐀".repeat(128),
      "ni3".repeat(42),
    ]) {
      for (const word of reader.words(query)) expect(reader.spellings(word).length).toBeLessThanOrEqual(64);
    }
  });

  it("is compared once with each place of a text, however often it nearly matches", () => {
    const text = "啊".repeat(10_000);
    expect(found(text, `${"a".repeat(127)}b`)).toEqual([]);
    expect(found(text, "a".repeat(128))).toHaveLength(8);
  });
});

it("a long word is looked for in parts, however often it nearly matches", () => {
  const stored = { content: written("你".repeat(9_999)), pinyin: "[]" };
  const [word = []] = reader.words(`${"n".repeat(127)}x`);
  const parts = [...reader.open(stored)(word)];
  expect(parts.length).toBeGreaterThan(50);
  expect(Math.max(...parts)).toBeLessThan(17_000);
});

it("the terms of a spelling begin with those that fewest messages have", () => {
  const [word = []] = reader.words("nihao");
  const other = new Set(reader.terms(message("你们好，拟 毫")));
  for (const [first = 0] of reader.spellings(word).filter((terms) => terms.length > 3))
    expect(other).not.toContain(first);
});
