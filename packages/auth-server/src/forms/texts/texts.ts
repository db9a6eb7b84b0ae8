import type { Locale } from "@telex/core/transport";
import { en } from "./en.ts";
import type { FormTexts } from "./type.ts";
import { zh } from "./zh.ts";

const texts: Readonly<Record<Locale, FormTexts>> = { "zh-CN": zh, en };

/** The texts of the forms in a language. */
export const formTexts = (locale: Locale): FormTexts => texts[locale];
