import type { Texts } from "./texts.ts";

/** The languages of the pages, as in BCP 47. */
export const languages = ["zh-CN", "en"] as const;

/** One of {@link languages}. */
export type Language = (typeof languages)[number];

/** The name of each language in itself. */
export const languageNames: Readonly<Record<Language, string>> = { "zh-CN": "简体中文", en: "English" };

const loaders: Readonly<Record<Language, () => Promise<Texts>>> = {
  "zh-CN": async () => (await import("./zh-cn.ts")).zhCn,
  en: async () => (await import("./en.ts")).en,
};

/**
 * Loads every text in a language.
 * @throws TypeError without a network
 */
export const loadTexts = (language: Language): Promise<Texts> => loaders[language]();

/** The first of the wanted languages that the pages have, otherwise English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const preferred = wanted.map((tag) => /^(zh|en)\b/i.exec(tag)?.[1]?.toLowerCase()).find((tag) => tag !== undefined);
  return preferred === "zh" ? "zh-CN" : "en";
}
