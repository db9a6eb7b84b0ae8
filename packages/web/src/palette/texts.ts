import { useApp } from "../app/context.ts";
import type { Language } from "../i18n/language.ts";

/** The kinds of items. */
export type Kind = "room" | "device" | "conversation" | "person" | "page" | "action";

/** The texts of the palette, loaded with it. */
interface PaletteTexts {
  readonly title: string;
  readonly hint: string;
  readonly results: string;
  readonly none: (typed: string) => string;
  readonly kinds: Readonly<Record<Kind, string>>;
  readonly newRoom: string;
  readonly privateChat: string;
  readonly pair: string;
  readonly newConversation: string;
  readonly themes: { readonly light: string; readonly dark: string; readonly auto: string };
  readonly signOut: string;
}

const en: PaletteTexts = {
  title: "Find",
  hint: "Rooms, people, devices, conversations, actions",
  results: "Results",
  none: (typed) => `Nothing matches "${typed}".`,
  kinds: {
    room: "room",
    device: "device",
    conversation: "conversation",
    person: "person",
    page: "page",
    action: "action",
  },
  newRoom: "New room",
  privateChat: "Private chat",
  pair: "Pair a device",
  newConversation: "New conversation",
  themes: { light: "Light appearance", dark: "Dark appearance", auto: "Appearance of the system" },
  signOut: "Sign out",
};

const zh: PaletteTexts = {
  title: "查找",
  hint: "聊天室、联系人、设备、对话、操作",
  results: "结果",
  none: (typed) => `没有叫“${typed}”的内容。`,
  kinds: {
    room: "聊天室",
    device: "设备",
    conversation: "对话",
    person: "联系人",
    page: "页面",
    action: "操作",
  },
  newRoom: "新聊天室",
  privateChat: "私聊",
  pair: "配对设备",
  newConversation: "新对话",
  themes: { light: "浅色外观", dark: "深色外观", auto: "跟随系统外观" },
  signOut: "退出登录",
};

const all: Readonly<Record<Language, PaletteTexts>> = { en, "zh-CN": zh };

/** The texts of the palette in the language in effect. */
export const usePaletteTexts = (): PaletteTexts => all[useApp().preferences.spoken.value];
