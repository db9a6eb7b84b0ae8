import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** Every text of sending to several devices. A language that lacks one does not compile. */
interface SeveralTexts {
  readonly title: (tag: string) => string;
  readonly lead: (count: number) => string;
  readonly text: string;
  readonly send: (count: number) => string;
  readonly outcome: string;
  readonly sending: string;
  readonly another: string;
  readonly delivered: (count: number, all: number) => string;
}

const en: SeveralTexts = {
  title: (tag) => `Write to all devices tagged "${tag}"`,
  lead: (count) => (count === 1 ? "One device gets it." : `${count} devices get it. Each acknowledges it separately.`),
  text: "Text",
  send: (count) => (count === 1 ? "Send to one device" : `Send to ${count} devices`),
  outcome: "Delivery",
  sending: "on its way",
  another: "Write another text",
  delivered: (count, all) => `${count} of ${all} delivered`,
};

const zh: SeveralTexts = {
  title: (tag) => `发给所有带“${tag}”的设备`,
  lead: (count) => `${count} 台设备会收到，各自确认。`,
  text: "文本",
  send: (count) => `发给 ${count} 台设备`,
  outcome: "文本的去向",
  sending: "发送中",
  another: "再写一条",
  delivered: (count, all) => `${all} 台中 ${count} 台已送达`,
};

const all: Readonly<Record<Language, SeveralTexts>> = { "zh-CN": zh, en };

/** The texts of this folder in the language in effect. */
export const useSeveralTexts = (): SeveralTexts => all[useApp().preferences.spoken.value];
