import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** The texts of summaries, loaded with them. */
interface MissedTexts {
  readonly ask: string;
  readonly title: string;
  readonly reading: string;
  readonly nothing: string;
  readonly read: (model: string, count: number, isCut: boolean) => string;
}

const en: MissedTexts = {
  ask: "What did I miss?",
  title: "What you missed",
  reading: "A model of this room is reading...",
  nothing: "You have not missed anything.",
  read: (model, count, isCut) =>
    `${model} has read ${count.toLocaleString("en")} ${count === 1 ? "message" : "messages"}${isCut ? "; older ones did not fit" : ""}. Only you see this, and it may be wrong.`,
};

const zh: MissedTexts = {
  ask: "我错过了什么？",
  title: "您错过的内容",
  reading: "聊天室中的模型正在阅读…",
  nothing: "您没有错过任何消息。",
  read: (model, count, isCut) =>
    `${model} 阅读了 ${count.toLocaleString("zh-CN")} 条消息${isCut ? "，更早的消息未能放入" : ""}。仅您可见，内容可能有误。`,
};

const all: Readonly<Record<Language, MissedTexts>> = { "zh-CN": zh, en };

/** The texts of summaries in the language in effect. */
export const useMissedTexts = (): MissedTexts => all[useApp().preferences.spoken.value];
