import { describe, expect, test } from "vitest";
import { createFormat } from "./format.ts";
import { chooseLanguage, languages, loadTexts } from "./language.ts";

test.each([
  [["zh-Hant-TW", "en"], "zh-CN"],
  [["de-DE", "en-US", "zh"], "en"],
  [["de"], "en"],
  [[], "en"],
] as const)("a person who prefers %j reads %s", (wanted, chosen) => {
  expect(chooseLanguage(wanted)).toBe(chosen);
});

const sample = (value: unknown): unknown => {
  if (typeof value !== "function") return value;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- texts with blanks take words and numbers
  return (value as (...blanks: unknown[]) => unknown)("X", 2);
};

describe.each(languages)("the texts in %s", async (language) => {
  const texts = await loadTexts(language);
  const all = [...Object.entries(texts), ...Object.entries(texts.problem)].filter(([name]) => name !== "problem");

  test("no text is empty", () => {
    expect(all.filter(([, text]) => !/\S/.test(String(sample(text))))).toEqual([]);
  });
});

test("no Chinese sentence has the punctuation of another script", async () => {
  const texts = Object.values(await loadTexts("zh-CN"))
    .map(sample)
    .filter((text) => typeof text === "string");
  expect(texts.filter((text) => /[\u4e00-\u9fff][,:?!;]|[,:?!;][\u4e00-\u9fff]/.test(text))).toEqual([]);
});

test("times are written in the language, and are never in the future", async () => {
  const now = Date.UTC(2026, 10, 20, 12);
  const { ago } = createFormat("en", await loadTexts("en"));
  expect([now + 5000, now - 59_000, now - 60_000, now - 7_300_000, now - 86_400_000].map((at) => ago(at, now))).toEqual(
    ["just now", "just now", "1 minute ago", "2 hours ago", "yesterday"],
  );
  expect(createFormat("zh-CN", await loadTexts("zh-CN")).ago(now - 180_000, now)).toBe("3分钟前");
});
