import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** The texts about the last hours. */
interface RecentTexts {
  readonly title: string;
  readonly hours: string;
  readonly ofHours: (hours: number) => string;
  readonly ofServer: (name: string) => string;
  readonly figures: Readonly<Record<"calls" | "messages" | "devices" | "errors" | "p99", string>>;
  readonly about: Readonly<Record<"calls" | "messages" | "devices" | "errors" | "p99", string>>;
  readonly ago: (hours: number) => string;
  readonly now: string;
  readonly most: (value: string) => string;
  readonly milliseconds: (value: string) => string;
  readonly none: string;

  readonly online: (count: number) => string;
  readonly presentLead: string;
  readonly noDevices: string;
  readonly cameAt: (when: string) => string;
  readonly wentAt: (when: string) => string;

  readonly audit: string;
  readonly auditLead: string;
  readonly subject: string;
  readonly everything: string;
  readonly subjects: Readonly<Record<string, string>>;
  readonly level: string;
  readonly levels: Readonly<Record<"all" | "info" | "warn", string>>;
  readonly person: string;
  readonly personHint: string;
  readonly exportAs: (form: string) => string;
  readonly operator: string;
  readonly nobody: string;
  readonly noEvents: string;
}

const en: RecentTexts = {
  title: "The last hours",
  hours: "Hours",
  ofHours: (hours) => (hours === 1 ? "1 hour" : `${hours} hours`),
  ofServer: (name) => `Figures of the server ${name}. Each server shows its own.`,
  figures: { calls: "Calls", messages: "Messages", devices: "Devices online", errors: "Errors", p99: "Slowest 1 %" },
  about: {
    calls: "in total",
    messages: "in rooms and devices",
    devices: "now",
    errors: "server failures",
    p99: "of calls, now",
  },
  ago: (hours) => (hours === 1 ? "1 hour ago" : `${hours} hours ago`),
  now: "now",
  most: (value) => `peak ${value}`,
  milliseconds: (value) => `${value} ms`,
  none: "–",

  online: (count) => (count === 1 ? "1 device is online" : `${count} devices are online`),
  presentLead: "Most recent change first. The list updates itself.",
  noDevices: "No device has connected or disconnected since the server started.",
  cameAt: (when) => `came online ${when}`,
  wentAt: (when) => `went offline ${when}`,

  audit: "Audit",
  auditLead: "Who changed what, and what was refused. Covers this server and commands that run next to it.",
  subject: "Subject",
  everything: "Everything",
  subjects: {
    user: "Users",
    account: "Accounts",
    session: "Sessions",
    token: "Tokens",
    link: "Links",
    grant: "Access of applications",
    client: "Applications",
    group: "Rooms",
    message: "Messages",
    device: "Devices",
    pairing: "Pairing",
    bot: "Bots",
    quota: "Quotas",
    file: "Files",
    access: "Refused access",
    rate: "Too many calls",
    server: "Servers",
  },
  level: "Kind",
  levels: { all: "All", info: "Changes", warn: "Refusals" },
  person: "User no.",
  personHint: "only what this user did, or what was done to them",
  exportAs: (form) => `Export as ${form}`,
  operator: "the operator",
  nobody: "-",
  noEvents: "No matching events.",
};

const zh: RecentTexts = {
  title: "最近几小时",
  hours: "小时数",
  ofHours: (hours) => `${hours} 小时`,
  ofServer: (name) => `服务器 ${name} 的数据。多台服务器各自显示自己的数据。`,
  figures: { calls: "调用", messages: "消息", devices: "在线设备", errors: "错误", p99: "最慢的 1 %" },
  about: { calls: "总数", messages: "聊天室和设备", devices: "现在", errors: "服务器故障", p99: "调用耗时，现在" },
  ago: (hours) => `${hours} 小时前`,
  now: "现在",
  most: (value) => `最多 ${value}`,
  milliseconds: (value) => `${value} 毫秒`,
  none: "–",

  online: (count) => `${count} 台设备在线`,
  presentLead: "最近变化的在前，列表会自动更新。",
  noDevices: "服务器启动以来，还没有设备上线或离线。",
  cameAt: (when) => `上线：${when}`,
  wentAt: (when) => `离线：${when}`,

  audit: "审计",
  auditLead: "谁改了什么，什么被拒绝。来自当前服务器，以及在它旁边运行的命令。",
  subject: "对象",
  everything: "全部",
  subjects: {
    user: "用户",
    account: "账号",
    session: "会话",
    token: "令牌",
    link: "链接",
    grant: "应用的访问权",
    client: "应用",
    group: "聊天室",
    message: "消息",
    device: "设备",
    pairing: "配对",
    bot: "机器人",
    quota: "配额",
    file: "文件",
    access: "被拒绝的访问",
    rate: "调用过多",
    server: "服务器",
  },
  level: "类型",
  levels: { all: "全部", info: "更改", warn: "拒绝" },
  person: "用户编号",
  personHint: "只看此用户所做的，或对其所做的",
  exportAs: (form) => `导出为 ${form}`,
  operator: "操作员",
  nobody: "-",
  noEvents: "没有符合条件的事件。",
};

const all: Readonly<Record<Language, RecentTexts>> = { "zh-CN": zh, en };

/** The texts about the last hours in the language in effect. */
export const useRecentTexts = (): RecentTexts => all[useApp().preferences.spoken.value];
