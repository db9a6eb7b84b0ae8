import { useApp } from "../app/context.ts";
import type { Language } from "../i18n/language.ts";

/** The texts of the page of pictures, loaded with it. A language that lacks one does not compile. */
interface PictureTexts {
  readonly lead: string;
  readonly drop: string;
  readonly choose: string;
  readonly chooseOther: string;
  readonly stays: string;
  readonly widest: string;
  readonly isDark: string;
  readonly size: (columns: number, lines: number, characters: number) => string;
  readonly save: string;
  readonly fileName: string;
  readonly print: string;
  readonly device: string;
  readonly printTooLong: (columns: number) => string;
  readonly fit: string;
  readonly printed: (name: string) => string;
  readonly noDevices: string;
  readonly room: string;
  readonly roomTooLong: string;
}

const en: PictureTexts = {
  lead: "A picture as text",
  drop: "Drop a picture here, or paste it.",
  choose: "Choose a picture",
  chooseOther: "Another picture",
  stays: "The picture does not leave your browser.",
  widest: "Characters per line, at most 200.",
  isDark: "Light text on a dark background",
  size: (columns, lines, characters) =>
    `${lines.toLocaleString("en")} lines of ${columns.toLocaleString("en")}, ${characters.toLocaleString("en")} characters`,
  save: "Save",
  fileName: "picture.txt",
  print: "Print",
  device: "Print on a device",
  printTooLong: (columns) =>
    `A text for a device has at most 2,000 characters. This picture fits with ${columns} characters per line.`,
  fit: "Fit",
  printed: (name) => `On its way to ${name}.`,
  noDevices: "You have no devices yet.",
  room: "Send to a room",
  roomTooLong: "A message in a room has at most 10,000 characters.",
};

const zh: PictureTexts = {
  lead: "图片变成文字",
  drop: "把图片拖到这里，或直接粘贴。",
  choose: "选择图片",
  chooseOther: "换一张图片",
  stays: "图片不会离开你的浏览器。",
  widest: "每行字符数，最多 200。",
  isDark: "深色底，浅色字",
  size: (columns, lines, characters) =>
    `${lines.toLocaleString("zh-CN")} 行，每行 ${columns.toLocaleString("zh-CN")} 个字符，共 ${characters.toLocaleString("zh-CN")} 字`,
  save: "保存",
  fileName: "图片.txt",
  print: "打印",
  device: "在设备上打印",
  printTooLong: (columns) => `发给设备的内容最多 2,000 字。每行 ${columns} 个字符时，这张图片放得下。`,
  fit: "调到合适",
  printed: (name) => `正在发往${name}。`,
  noDevices: "你还没有设备。",
  room: "发到聊天室",
  roomTooLong: "聊天室的一条消息最多 10,000 字。",
};

const all: Readonly<Record<Language, PictureTexts>> = { "zh-CN": zh, en };

/** The texts of this page in the language in effect. */
export const usePictureTexts = (): PictureTexts => all[useApp().preferences.spoken.value];
