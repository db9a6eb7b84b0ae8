import { useApp } from "../../app/context.ts";
import type { Language } from "../../i18n/language.ts";

/** The texts of the dialogs that the side panel opens. */
interface SideTexts {
  readonly mute: string;
  readonly mutes: Readonly<Record<"off" | "hour" | "tomorrow" | "always", string>>;
  readonly mutedUntil: (when: string) => string;
  readonly changePicture: string;
  readonly pictureChanged: string;
  readonly block: string;
  readonly blockTitle: (name: string) => string;
  readonly blockLead: string;
  readonly blocked: (name: string) => string;
  readonly unblock: string;
  readonly unblocked: (name: string) => string;
  readonly links: string;
  readonly noLinks: string;
  readonly linkUsed: (used: number, uses: number) => string;
  readonly linkUntil: (when: string) => string;
  readonly revoke: string;
  readonly revokeTitle: string;
  readonly revokeLead: string;
  readonly revoked: string;
  readonly outlets: string;
  readonly outletsLead: string;
  readonly noOutlets: string;
  readonly kinds: Readonly<Record<"device" | "hook" | "bot" | "model", string>>;
  readonly told: (tokens: number) => string;
  readonly ownedBy: (name: string) => string;
  readonly hooks: string;
  readonly hooksLead: string;
  readonly hookName: string;
  readonly hookNameHint: string;
  readonly makeHook: string;
  readonly hookOnce: (name: string) => string;
  readonly endHook: string;
  readonly endHookTitle: (name: string) => string;
  readonly endHookLead: string;
  readonly hookEnded: (name: string) => string;
}

const en: SideTexts = {
  mute: "Mute",
  mutes: {
    off: "Not muted",
    hour: "For an hour",
    tomorrow: "Until tomorrow morning",
    always: "Until I unmute it",
  },
  mutedUntil: (when) => `Until ${when}`,
  changePicture: "Change the picture",
  pictureChanged: "The room has a new picture.",
  block: "Block",
  blockTitle: (name) => `Block ${name}?`,
  blockLead:
    "They cannot find you, write to you in a private chat, or add you to rooms. In rooms that you share, you both stay and can read each other's messages. They are not notified. You can unblock them here.",
  blocked: (name) => `${name} is blocked.`,
  unblock: "Unblock",
  unblocked: (name) => `${name} is no longer blocked.`,
  links: "Active links",
  noLinks: "This room has no active links.",
  linkUsed: (used, uses) => `Used by ${used.toLocaleString("en")} of ${uses.toLocaleString("en")}`,
  linkUntil: (when) => `until ${when}`,
  revoke: "Revoke",
  revokeTitle: "Revoke this link?",
  revokeLead: "It can no longer be used to join. People who have used it stay in the room.",
  revoked: "The link is revoked.",
  outlets: "Devices, hooks and models",
  outletsLead: "Where the messages of this room go, and which programs write to it.",
  noOutlets: "No device prints this room, and no bot or model reads it.",
  kinds: { device: "device", hook: "hook", bot: "bot", model: "model" },
  told: (tokens) => `reads the last ${tokens.toLocaleString("en")} tokens when a member asks it`,
  ownedBy: (name) => `of ${name}`,
  hooks: "Hooks",
  hooksLead: "A hook is an address where a program posts messages to the room, such as alerts.",
  hookName: "Name of the hook",
  hookNameHint: "Shown as the sender of its messages.",
  makeHook: "Create a hook",
  hookOnce: (name) => `The address of ${name}. It is shown only once. Anyone who knows it can write to the room.`,
  endHook: "Remove",
  endHookTitle: (name) => `Remove ${name}?`,
  endHookLead: "Its address stops working. What it has written stays.",
  hookEnded: (name) => `${name} can no longer write.`,
};

const zh: SideTexts = {
  mute: "免打扰",
  mutes: { off: "未开启", hour: "一小时", tomorrow: "到明天早上", always: "直到我关闭" },
  mutedUntil: (when) => `到 ${when}`,
  changePicture: "更换图片",
  pictureChanged: "聊天室图片已更换。",
  block: "屏蔽",
  blockTitle: (name) => `屏蔽${name}？`,
  blockLead:
    "对方将无法找到你、在私聊中给你发消息或把你加入聊天室。你们共同所在的聊天室不受影响，仍能看到彼此的消息。对方不会收到通知，你可随时在这里解除。",
  blocked: (name) => `已屏蔽${name}。`,
  unblock: "解除屏蔽",
  unblocked: (name) => `已解除对${name}的屏蔽。`,
  links: "有效链接",
  noLinks: "没有通往此聊天室的链接。",
  linkUsed: (used, uses) => `已使用 ${used.toLocaleString("zh-CN")} / ${uses.toLocaleString("zh-CN")} 次`,
  linkUntil: (when) => `有效期至 ${when}`,
  revoke: "停用链接",
  revokeTitle: "停用此链接？",
  revokeLead: "之后无人能用它加入。已用它加入的人仍在聊天室中。",
  revoked: "链接已停用。",
  outlets: "设备、Webhook 和模型",
  outletsLead: "这里列出聊天室的消息发往何处，以及什么程序会向它写入。",
  noOutlets: "没有设备打印此聊天室，也没有机器人或模型读取它。",
  kinds: { device: "设备", hook: "Webhook", bot: "机器人", model: "模型" },
  told: (tokens) =>
    `有成员提到它，或询问错过的内容时，会读取最近的消息（最多 ${tokens.toLocaleString("zh-CN")} 个词元）`,
  ownedBy: (name) => `属于${name}`,
  hooks: "Webhook",
  hooksLead: "Webhook 是一个地址，程序可以通过它向聊天室发消息，例如告警。",
  hookName: "Webhook 名称",
  hookNameHint: "它的消息会显示这个名称。",
  makeHook: "创建 Webhook",
  hookOnce: (name) => `${name}的地址。只显示一次：知道它的人都能向聊天室发消息。`,
  endHook: "移除",
  endHookTitle: (name) => `移除${name}？`,
  endHookLead: "它的地址将失效，已发的消息会保留。",
  hookEnded: (name) => `${name}不能再发消息了。`,
};

const texts: Readonly<Record<Language, SideTexts>> = { "zh-CN": zh, en };

/** The texts in the language in effect. */
export const useSideTexts = (): SideTexts => texts[useApp().preferences.spoken.value];
