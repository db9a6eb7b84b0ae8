import { character, fc } from "test-support/property";
import { expect, it } from "vitest";
import { createPinyin } from "./pinyin.ts";
import { createSearchReader, joinMatches } from "./reader.ts";

const pinyin = createPinyin(10);
const reader = createSearchReader((hanzi) => pinyin.readingsOf(hanzi));

function finish<T>(parts: Generator<number, T>): T {
  for (;;) {
    const { done, value } = parts.next();
    if (done === true) return value;
  }
}

const excerptOf = (text: string, query: string) => finish(reader.excerpt(text, reader.words(query)));

/** The words that an excerpt marks. */
function marked(text: string, query: string): readonly string[] | null {
  const excerpt = excerptOf(text, query);
  return excerpt && excerpt.matches.map(({ start, end }) => excerpt.text.slice(start, end));
}

it.each([
  ["The quick brown fox", "QUI fox", ["qui", "fox"]],
  ["The quick brown fox", "ick", null],
  ["The quick brown fox", "quick cat", null],
  ["数据库里保存着每一个问题", "shujuku wt", ["数据库", "问题"]],
  ["Crème brûlée", "creme", ["Crème"]],
  ["“Ready” – 🎉 go", "go rea", ["Rea", "go"]],
  ["ℹ 5", "i", ["ℹ"]],
  ["ｆｕｌｌ", "full", ["ｆｕｌｌ"]],
  ["anything", "!?", null],
])("%j has the words of %j", (text, query, words) => {
  expect(marked(text, query)?.map((word) => word.toLowerCase()) ?? null).toEqual(
    words?.map((word) => word.toLowerCase()) ?? null,
  );
});

it("finds the same texts as the search of messages does without stored pinyin", () => {
  const texts = fc.array(fc.oneof(character, fc.constantFrom("a", "no", " ", "你", "好", "é", "“", "😀")), {
    maxLength: 60,
  });
  fc.assert(
    fc.property(texts, fc.constantFrom("a", "n", "no", "nihao", "nh", "你", "e no", "好 a"), (parts, query) => {
      const text = parts.join("");
      const find = reader.open({ content: JSON.stringify([{ text: { text } }]), pinyin: "[]" });
      const matches = joinMatches(reader.words(query).map((word) => finish(find(word))));
      expect(excerptOf(text, query) !== null).toBe(matches.length > 0);
    }),
  );
});

it("shows a part of a long text, and cuts no word and no character where it reads on", () => {
  const text = `${"padding 你好 ".repeat(3000)}needle${" 😀".repeat(3000)}`;
  const excerpt = excerptOf(text, "needle");
  expect(excerpt?.text.length).toBeLessThanOrEqual(240);
  expect(excerpt?.text.isWellFormed()).toBe(true);
  expect(marked(text, "needle")).toEqual(["needle"]);
  for (const letters of [1, 7, 4090]) expect(excerptOf(`${"x".repeat(letters)} `.repeat(40), "y")).toBeNull();
});

it("finds words that are far from each other, and shows the first of them", () => {
  expect(marked(`first ${"x ".repeat(20_000)}last`, "last first")).toEqual(["first"]);
});
