import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** The texts about notifications and blocked people. */
interface OtherTexts {
  readonly notices: string;
  readonly noticesLead: string;
  readonly noticesOff: string;
  readonly noticeText: string;
  readonly noticeDevices: string;
  readonly noticeOffline: (minutes: number) => string;
  readonly blocks: string;
  readonly blocksLead: string;
  readonly noBlocks: string;
  readonly unblock: string;
  readonly unblockOf: (name: string) => string;
  readonly unblocked: (name: string) => string;
}

const en: OtherTexts = {
  notices: "Notifications",
  noticesLead: "For this browser, even while the pages are closed.",
  noticesOff: "They are off. Turn them on with the bell in the bar.",
  noticeText: "Show the beginning of the text, even on a locked screen",
  noticeDevices: "Notify me when one of my devices sends a text",
  noticeOffline: (minutes) => `Notify me when one of my devices is offline for ${minutes} minutes`,
  blocks: "Blocked people",
  blocksLead: "They cannot write to you in a private chat or add you to a room. You can block a member on their card.",
  noBlocks: "You have not blocked anyone.",
  unblock: "Unblock",
  unblockOf: (name) => `Unblock ${name}`,
  unblocked: (name) => `${name} is no longer blocked.`,
};

const zh: OtherTexts = {
  notices: "通知",
  noticesLead: "用于此浏览器，页面关闭时也会收到。",
  noticesOff: "通知已关闭。用顶栏的铃铛打开。",
  noticeText: "显示消息开头，锁屏时也显示",
  noticeDevices: "我的设备发来文字时通知我",
  noticeOffline: (minutes) => `我的设备离线 ${minutes} 分钟时通知我`,
  blocks: "已屏蔽的人",
  blocksLead: "他们不能私信你，也不能把你加入聊天室。在成员卡片上可以屏蔽。",
  noBlocks: "你没有屏蔽任何人。",
  unblock: "取消屏蔽",
  unblockOf: (name) => `取消屏蔽 ${name}`,
  unblocked: (name) => `已取消屏蔽 ${name}。`,
};

const texts: Readonly<Record<Language, OtherTexts>> = { "zh-CN": zh, en };

/** The texts in the language in effect. */
export const useOtherTexts = (): OtherTexts => texts[useApp().preferences.spoken.value];
