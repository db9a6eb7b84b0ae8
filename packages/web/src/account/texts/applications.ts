import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** The texts about applications that have access to the account. */
interface ApplicationTexts {
  readonly title: string;
  readonly lead: string;
  readonly none: string;
  readonly scopes: Readonly<Record<string, string>>;
  /** A part of the scope `device`. */
  readonly device: (id: string) => string;
  readonly since: (when: string) => string;
  readonly end: string;
  readonly endTitle: (name: string) => string;
  readonly endLead: string;
}

const en: ApplicationTexts = {
  title: "Connected applications",
  lead: "Applications and programs that can act for you.",
  none: "No application has access to your account.",
  scopes: {
    openid: "know who you are",
    profile: "see your name and picture",
    chat: "rooms, conversations and files",
    device: "all your devices",
  },
  device: (id) => `the device ${id}`,
  since: (when) => `has access since ${when}`,
  end: "End access",
  endTitle: (name) => `End the access of ${name}?`,
  endLead: "Its tokens stop working. It has to ask you for access again.",
};

const zh: ApplicationTexts = {
  title: "已连接的应用",
  lead: "你允许以你的名义操作的应用和程序。",
  none: "没有应用可以访问你的账号。",
  scopes: {
    openid: "知道你是谁",
    profile: "查看你的名字和头像",
    chat: "聊天室、对话和文件",
    device: "你的所有设备",
  },
  device: (id) => `设备 ${id}`,
  since: (when) => `${when}获得访问权限`,
  end: "结束访问",
  endTitle: (name) => `结束 ${name} 的访问？`,
  endLead: "它的令牌将失效，需要重新请求你的许可。",
};

const texts: Readonly<Record<Language, ApplicationTexts>> = { "zh-CN": zh, en };

/** The texts in the language in effect. */
export const useApplicationTexts = (): ApplicationTexts => texts[useApp().preferences.spoken.value];
