import { useApp } from "../app/context.ts";
import type { Language } from "../i18n/language.ts";

/** Every text of the page of files, loaded with it. A language that lacks one does not compile. */
interface FileTexts {
  readonly upload: string;
  readonly drop: string;
  readonly uploads: string;
  readonly own: string;
  readonly loading: string;
  readonly none: string;
  readonly more: string;
  readonly used: string;
  readonly unused: string;
  readonly copyLink: (name: string) => string;
  readonly download: (name: string) => string;
  readonly linkCopied: string;
  readonly picture: (name: string) => string;
}

const en: FileTexts = {
  upload: "Upload files",
  drop: "Or drop them here, or paste them.",
  uploads: "Uploads",
  own: "Your files",
  loading: "Looking for your files...",
  none: "You have not uploaded anything yet.",
  more: "More files",
  used: "used in a message",
  unused: "deleted soon unless a message uses it",
  copyLink: (name) => `Copy the link of ${name}`,
  download: (name) => `Save ${name}`,
  linkCopied: "The link is copied.",
  picture: (name) => `Open ${name}`,
};

const zh: FileTexts = {
  upload: "上传文件",
  drop: "也可以拖到这里，或直接粘贴。",
  uploads: "上传",
  own: "你的文件",
  loading: "正在查找你的文件…",
  none: "你还没有上传过文件。",
  more: "更多文件",
  used: "已用在消息中",
  unused: "若没有消息使用，不久后会删除",
  copyLink: (name) => `复制 ${name} 的链接`,
  download: (name) => `保存 ${name}`,
  linkCopied: "链接已复制。",
  picture: (name) => `打开 ${name}`,
};

const all: Readonly<Record<Language, FileTexts>> = { "zh-CN": zh, en };

/** The texts of this page in the language in effect. */
export const useFileTexts = (): FileTexts => all[useApp().preferences.spoken.value];
