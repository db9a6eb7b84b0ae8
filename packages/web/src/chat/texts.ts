import { useApp, useTexts } from "../app/context.ts";
import type { Language } from "../i18n/language.ts";
import type { Trouble } from "./state/trouble.ts";
import { type ChatTexts, en } from "./texts-en.ts";
import { zh } from "./texts-zh.ts";

const all: Readonly<Record<Language, ChatTexts>> = { "zh-CN": zh, en };

/** The texts of this page in the language in effect. */
export const useChatTexts = (): ChatTexts => all[useApp().preferences.spoken.value];

/** Describes the trouble in a sentence. */
export function useTroubleText(): (trouble: Trouble) => string {
  const { goneLead, trouble: words } = useChatTexts();
  const { problem } = useTexts();
  return (trouble) => {
    if (trouble.kind === "problem") return problem[trouble.problem];
    if (trouble.kind === "refused") return words.refused(trouble.words);
    return trouble.kind === "gone" ? goneLead : words[trouble.kind];
  };
}
