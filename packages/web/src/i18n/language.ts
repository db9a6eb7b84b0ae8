import type { Texts } from "./texts.ts";

/** The languages of the pages, as BCP 47 tags. */
export const languages = ["zh-CN", "en"] as const;

/** One of {@link languages}. */
export type Language = (typeof languages)[number];

/** The native name of each language. */
export const languageNames: Readonly<Record<Language, string>> = { "zh-CN": "简体中文", en: "English" };

const loaders: Readonly<Record<Language, () => Promise<Texts>>> = {
  "zh-CN": async () => (await import("./zh-cn.ts")).zhCn,
  en: async () => (await import("./en.ts")).en,
};

/**
 * Loads the texts in a language.
 * @throws TypeError if there is no network
 */
export const loadTexts = (language: Language): Promise<Texts> => loaders[language]();

/** The first wanted language that is supported, otherwise English. */
export function chooseLanguage(wanted: readonly string[]): Language {
  const preferred = wanted.map((tag) => /^(zh|en)\b/i.exec(tag)?.[1]?.toLowerCase()).find((tag) => tag !== undefined);
  return preferred === "zh" ? "zh-CN" : "en";
}
