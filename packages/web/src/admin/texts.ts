import type { AdminTexts } from "./texts-type.ts";
import { useApp } from "../context.ts";
import type { Language } from "../i18n/language.ts";
import { en } from "./texts-en.ts";
import { zh } from "./texts-zh.ts";

const all: Readonly<Record<Language, AdminTexts>> = { "zh-CN": zh, en };

/** The texts of this page in the language in effect. */
export const useAdminTexts = (): AdminTexts => all[useApp().preferences.spoken.value];
