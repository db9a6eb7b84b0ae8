import type { Language } from "../../i18n/language.ts";
import type { SummaryWords } from "./content.ts";

/** The words for segments other than text. They are separate because every page loads the code of notifications. */
export const summaries: Readonly<Record<Language, SummaryWords>> = {
  en: { image: "picture", file: "file", recalled: "This message was recalled." },
  "zh-CN": { image: "图片", file: "文件", recalled: "此消息已撤回。" },
};
