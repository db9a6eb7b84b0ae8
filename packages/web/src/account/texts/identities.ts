import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** The texts about accounts at other providers. */
interface IdentityTexts {
  readonly title: string;
  readonly lead: string;
  readonly linked: (when: string) => string;
  readonly link: (provider: string) => string;
  readonly unlink: string;
  readonly unlinkTitle: (provider: string) => string;
  readonly unlinkLead: (provider: string) => string;
}

const en: IdentityTexts = {
  title: "Linked accounts",
  lead: "You can also sign in with these accounts.",
  linked: (when) => `linked ${when}`,
  link: (provider) => `Link ${provider}`,
  unlink: "Unlink",
  unlinkTitle: (provider) => `Unlink ${provider}?`,
  unlinkLead: (provider) => `You can no longer sign in with ${provider}. Your account there stays.`,
};

const zh: IdentityTexts = {
  title: "关联的账号",
  lead: "你也可以用它们登录。",
  linked: (when) => `${when}关联`,
  link: (provider) => `关联 ${provider}`,
  unlink: "取消关联",
  unlinkTitle: (provider) => `取消关联 ${provider}？`,
  unlinkLead: (provider) => `你将无法再通过 ${provider} 登录。你在那里的账号不变。`,
};

const texts: Readonly<Record<Language, IdentityTexts>> = { "zh-CN": zh, en };

/** The texts in the language in effect. */
export const useIdentityTexts = (): IdentityTexts => texts[useApp().preferences.spoken.value];
