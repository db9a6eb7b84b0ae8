import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";
import { en } from "./en.ts";
import type { AccountTexts } from "./type.ts";
import { zh } from "./zh.ts";

const texts: Readonly<Record<Language, AccountTexts>> = { "zh-CN": zh, en };

/** The texts of the page in the language in effect. */
export const useAccountTexts = (): AccountTexts => texts[useApp().preferences.spoken.value];
