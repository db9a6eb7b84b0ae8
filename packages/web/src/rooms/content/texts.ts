import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";
import { type RoomTexts, en } from "./texts-en.ts";
import { zh } from "./texts-zh.ts";

const all: Readonly<Record<Language, RoomTexts>> = { "zh-CN": zh, en };

/** The texts of this page in the language in effect. */
export const useRoomTexts = (): RoomTexts => all[useApp().preferences.spoken.value];
