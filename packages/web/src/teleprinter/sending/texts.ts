import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** Every text of how and when something is sent. A language that lacks one does not compile. */
interface SendingTexts {
  readonly title: string;
  readonly priority: string;
  readonly normal: string;
  readonly life: string;
  readonly lives: Readonly<Record<LifeName, string>>;
  readonly at: string;
  readonly atHint: string;
  readonly later: string;
  readonly sentAt: (when: string) => string;
  readonly takeBack: string;
  readonly takenBack: string;
}

/** How long a text may wait. */
export type LifeName = "endless" | "minutes" | "hour" | "day" | "week";

const en: SendingTexts = {
  title: "Title",
  priority: "Urgency",
  normal: "normal",
  life: "Expires after",
  lives: { endless: "never", minutes: "10 minutes", hour: "an hour", day: "a day", week: "a week" },
  at: "Send at",
  atHint: "If empty, it is sent now. At most a year ahead.",
  later: "Scheduled",
  sentAt: (when) => `will be sent on ${when}`,
  takeBack: "Cancel sending",
  takenBack: "The text will not be sent.",
};

const zh: SendingTexts = {
  title: "标题",
  priority: "紧急程度",
  normal: "普通",
  life: "何时失效",
  lives: { endless: "不失效", minutes: "10 分钟后", hour: "1 小时后", day: "1 天后", week: "1 周后" },
  at: "发送时间",
  atHint: "不填则立即发送，最多提前一年。",
  later: "稍后发送",
  sentAt: (when) => `将于 ${when} 发送`,
  takeBack: "撤回",
  takenBack: "此文本不会发送。",
};

const all: Readonly<Record<Language, SendingTexts>> = { "zh-CN": zh, en };

/** The texts of this folder in the language in effect. */
export const useSendingTexts = (): SendingTexts => all[useApp().preferences.spoken.value];
