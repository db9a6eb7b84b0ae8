import type { OwnFileView } from "@telex/core";
import { useApp } from "../app/context.ts";
import type { Language } from "../i18n/language.ts";

/** The texts of the page of files, loaded with it. A language that lacks one does not compile. */
interface FileTexts {
  readonly upload: string;
  readonly drop: string;
  /** The hint on touch screens, where nothing is dropped. */
  readonly pick: string;
  readonly uploads: string;
  readonly own: string;
  readonly loading: string;
  readonly none: string;
  readonly noMatch: string;
  readonly showAll: string;
  readonly more: string;
  readonly search: string;
  readonly kinds: Readonly<Record<OwnFileView["kind"] | "all" | "shared", string>>;
  readonly stored: (count: number, size: string, isComplete: boolean) => string;
  readonly kindsLabel: string;
  readonly unused: string;
  readonly used: string;
  readonly linkUntil: (date: string) => string;
  readonly whereOf: (name: string) => string;
  readonly noUse: string;
  readonly usesLead: string;
  readonly copyLink: (name: string) => string;
  readonly download: (name: string) => string;
  readonly share: (name: string) => string;
  readonly remove: (name: string) => string;
  readonly linkCopied: string;
  readonly picture: (name: string) => string;
  readonly removeTitle: string;
  readonly removeLead: (name: string) => string;
  readonly removed: (name: string) => string;
  readonly removeNow: string;
  readonly shareLead: string;
  readonly life: string;
  readonly lives: Readonly<Record<"hour" | "day" | "week" | "month", string>>;
  readonly makeLink: string;
  readonly linkTitle: string;
  readonly linkLead: string;
  readonly linkToken: string;
  readonly links: string;
  readonly endLink: string;
  readonly endTitle: string;
  readonly endLead: string;
  readonly ended: string;
}

const en: FileTexts = {
  upload: "Upload files",
  drop: "Or drop them anywhere on this page, or paste them.",
  pick: "Choose a file, or several at once.",
  uploads: "Uploads",
  own: "Your files",
  loading: "Loading your files...",
  none: "You have no files yet. Upload some to send them in rooms, or to share them by link.",
  noMatch: "No matching files.",
  showAll: "Show all files",
  more: "More files",
  search: "Search by name",
  kinds: {
    all: "All",
    picture: "Pictures",
    text: "Texts",
    audio: "Audio",
    video: "Videos",
    archive: "Archives",
    other: "Other",
    shared: "Shared by link",
  },
  stored: (count, size, isComplete) => {
    const files = count === 1 ? "1 file" : `${count.toLocaleString("en")} files`;
    return isComplete ? `${size} in ${files}` : `${size} in the newest ${files}`;
  },
  kindsLabel: "Kinds of files",
  unused: "deleted soon unless a message uses it",
  used: "used in messages",
  linkUntil: (date) => `link until ${date}`,
  whereOf: (name) => `Where ${name} is used`,
  noUse: "No message in your rooms uses it.",
  usesLead: "Messages in your rooms. Other rooms, profile pictures and conversations with models are not shown.",
  copyLink: (name) => `Copy the address of ${name}`,
  download: (name) => `Save ${name}`,
  share: (name) => `Share ${name} by link`,
  remove: (name) => `Delete ${name}`,
  linkCopied: "The address is copied.",
  picture: (name) => `Open ${name}`,
  removeTitle: "Delete this file?",
  removeLead: (name) =>
    `${name} is removed from your files, and its links stop working. Messages that use it keep it. To remove it there, recall them.`,
  removed: (name) => `${name} is deleted.`,
  removeNow: "Delete",
  shareLead: "Anyone who has the link can download the file, without an account, until the link expires.",
  life: "The link expires",
  lives: { hour: "in an hour", day: "in a day", week: "in a week", month: "in 30 days" },
  makeLink: "Create a link",
  linkTitle: "The link",
  linkLead: "It is shown only once: copy it now.",
  linkToken: "It is shown only once: copy it now. Downloads from this server require signing in.",
  links: "Active links",
  endLink: "Revoke",
  endTitle: "Revoke this link?",
  endLead: "It can no longer be used to download the file.",
  ended: "The link is revoked.",
};

const zh: FileTexts = {
  upload: "上传文件",
  drop: "也可以拖到页面任意位置，或直接粘贴。",
  pick: "选择一个文件，也可以一次选多个。",
  uploads: "上传",
  own: "你的文件",
  loading: "正在查找你的文件…",
  none: "你还没有文件。上传后可以发到聊天室，或用链接分享。",
  noMatch: "没有符合的文件。",
  showAll: "显示全部文件",
  more: "更多文件",
  search: "按名称搜索",
  kinds: {
    all: "全部",
    picture: "图片",
    text: "文本",
    audio: "音频",
    video: "视频",
    archive: "压缩包",
    other: "其他",
    shared: "已用链接分享",
  },
  stored: (count, size, isComplete) =>
    `${isComplete ? "" : "最新的 "}${count.toLocaleString("zh-CN")} 个文件，共 ${size}`,
  kindsLabel: "文件类型",
  unused: "若没有消息使用，不久后会删除",
  used: "已用在消息中",
  linkUntil: (date) => `链接有效至 ${date}`,
  whereOf: (name) => `${name} 用在哪里`,
  noUse: "你的聊天室里没有消息使用它。",
  usesLead: "你的聊天室里的消息。不包括其他聊天室、头像和与模型的对话。",
  copyLink: (name) => `复制 ${name} 的地址`,
  download: (name) => `保存 ${name}`,
  share: (name) => `用链接分享 ${name}`,
  remove: (name) => `删除 ${name}`,
  linkCopied: "地址已复制。",
  picture: (name) => `打开 ${name}`,
  removeTitle: "删除这个文件？",
  removeLead: (name) =>
    `${name} 会从你的文件中删除，它的链接也会失效。已显示它的消息仍会保留它：如需移除，请撤回那些消息。`,
  removed: (name) => `已删除 ${name}。`,
  removeNow: "删除",
  shareLead: "在链接失效前，任何拿到链接的人无需账号即可下载此文件。",
  life: "链接失效时间",
  lives: { hour: "一小时后", day: "一天后", week: "一周后", month: "30 天后" },
  makeLink: "生成链接",
  linkTitle: "链接",
  linkLead: "只显示一次，请现在复制。",
  linkToken: "只显示一次，请现在复制。从此服务器下载需要登录。",
  links: "有效的链接",
  endLink: "停用",
  endTitle: "停用这个链接？",
  endLead: "拿到链接的人将不能再下载此文件。",
  ended: "链接已停用。",
};

const all: Readonly<Record<Language, FileTexts>> = { "zh-CN": zh, en };

/** The texts of this page in the language in effect. */
export const useFileTexts = (): FileTexts => all[useApp().preferences.spoken.value];
