import type { AdminTexts } from "./type.ts";
import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

const all: Readonly<Record<Language, AdminTexts>> = { "zh-CN": zh, en };

/** The texts of this page in the language in effect. */
export const useAdminTexts = (): AdminTexts => all[useApp().preferences.spoken.value];
