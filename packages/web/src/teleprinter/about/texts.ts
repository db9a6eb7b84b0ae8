import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** Every text about a device. A language that lacks one does not compile. */
interface AboutTexts {
  readonly title: string;
  readonly transport: string;
  readonly program: string;
  readonly can: string;
  readonly fault: string;
  readonly noFault: string;
  readonly since: (when: string) => string;
  readonly tags: string;
  readonly tagsHint: string;
  readonly queue: string;
  readonly waiting: (count: number, isAll: boolean) => string;
  readonly later: (count: number) => string;
  readonly unsaid: string;
  readonly day: string;
  readonly counts: (to: number, from: number, isAll: boolean) => string;
  readonly hoursAgo: string;
  readonly now: string;
}

const number = new Intl.NumberFormat("en");

const en: AboutTexts = {
  title: "About this device",
  transport: "Connected by",
  program: "Program",
  can: "Capabilities",
  fault: "Fault",
  noFault: "none",
  since: (when) => `since ${when}`,
  tags: "Tags",
  tagsHint: "Words that group devices, separated by spaces. At most 16, each of up to 32 characters.",
  queue: "Queue",
  waiting: (count, isAll) => `${isAll ? "" : "at least "}${number.format(count)} waiting`,
  later: (count) => `, ${number.format(count)} scheduled`,
  unsaid: "The device has not reported this.",
  day: "The last 24 hours",
  counts: (to, from, isAll) =>
    `${isAll ? "" : "At least "}${number.format(to)} to the device, ${number.format(from)} from it`,
  hoursAgo: "24 h ago",
  now: "now",
};

const zh: AboutTexts = {
  title: "关于此设备",
  transport: "连接方式",
  program: "程序",
  can: "功能",
  fault: "故障",
  noFault: "无",
  since: (when) => `自 ${when}`,
  tags: "标签",
  tagsHint: "用来一次指明多台设备，以空格分隔，最多 16 个，每个不超过 32 个字符。",
  queue: "队列",
  waiting: (count, isAll) => `${isAll ? "" : "至少 "}${count} 条等待中`,
  later: (count) => `，${count} 条稍后发送`,
  unsaid: "设备没有说明。",
  day: "最近 24 小时",
  counts: (to, from, isAll) => `${isAll ? "" : "至少"}发给设备 ${to} 条，来自设备 ${from} 条`,
  hoursAgo: "24 小时前",
  now: "现在",
};

const all: Readonly<Record<Language, AboutTexts>> = { "zh-CN": zh, en };

/** The texts of this folder in the language in effect. */
export const useAboutTexts = (): AboutTexts => all[useApp().preferences.spoken.value];
