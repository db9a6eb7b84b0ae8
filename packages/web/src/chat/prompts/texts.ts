import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** The texts about prompts, loaded with the dialog. */
interface PromptTexts {
  readonly lead: string;
  readonly none: string;
  readonly keep: string;
  readonly use: string;
  readonly edit: string;
  readonly name: string;
  readonly text: string;
  readonly kept: (name: string) => string;
  readonly delete: string;
  readonly deleteTitle: (name: string) => string;
  readonly deleteLead: string;
  readonly deleted: (name: string) => string;
}

const en: PromptTexts = {
  lead: "Texts that you ask often. A prompt is added to the end of your question.",
  none: "You have no saved prompts. Write a question and save it here under a name.",
  keep: "Save a prompt",
  use: "Use",
  edit: "Edit",
  name: "Name",
  text: "Text",
  kept: (name) => `“${name}” is saved.`,
  delete: "Delete",
  deleteTitle: (name) => `Delete “${name}”?`,
  deleteLead: "Questions that you asked with it stay.",
  deleted: (name) => `“${name}” is deleted.`,
};

const zh: PromptTexts = {
  lead: "你经常用到的提问文字。使用时会加到问题的末尾。",
  none: "你还没有保存提示词。写好一个问题，在这里起个名字保存。",
  keep: "保存提示词",
  use: "使用",
  edit: "编辑",
  name: "名称",
  text: "内容",
  kept: (name) => `“${name}”已保存。`,
  delete: "删除",
  deleteTitle: (name) => `删除“${name}”？`,
  deleteLead: "该提示词将被删除，用它提过的问题会保留。",
  deleted: (name) => `“${name}”已删除。`,
};

const all: Readonly<Record<Language, PromptTexts>> = { "zh-CN": zh, en };

/** The texts in the current language. */
export const usePromptTexts = (): PromptTexts => all[useApp().preferences.spoken.value];
