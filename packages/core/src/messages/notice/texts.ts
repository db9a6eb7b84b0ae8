import type { Locale } from "@telex/ground/errors";

/** The texts of notices, for clients that do not know the kinds. `{names}`: the nicknames of the users whom a notice concerns. */
export const noticeTexts = {
  admin_joined: { "zh-CN": "[管理员加入了聊天室]", en: "[An admin has joined the room]" },
  account_changed: {
    "zh-CN": "[管理员更改了连接此聊天室与外部网络的账号]",
    en: "[An admin has changed the account that connects this room to its network]",
  },
  model_changed: {
    "zh-CN": "[管理员让 AI 模型以一位成员的身份回答]",
    en: "[An admin has made an AI model answer as a member]",
  },
  created: { "zh-CN": "[创建了聊天室]", en: "[Created the room]" },
  renamed: { "zh-CN": "[修改了聊天室名称]", en: "[Changed the name of the room]" },
  topic_changed: { "zh-CN": "[修改了聊天室主题]", en: "[Changed the topic of the room]" },
  avatar_changed: { "zh-CN": "[修改了聊天室头像]", en: "[Changed the picture of the room]" },
  members_added: { "zh-CN": "[添加了 {names}]", en: "[Added {names}]" },
  members_removed: { "zh-CN": "[移除了 {names}]", en: "[Removed {names}]" },
  roles_changed: { "zh-CN": "[修改了 {names} 的角色]", en: "[Changed the role of {names}]" },
  joined: { "zh-CN": "[加入了聊天室]", en: "[Joined the room]" },
  left: { "zh-CN": "[离开了聊天室]", en: "[Left the room]" },
  archived: { "zh-CN": "[归档了聊天室]", en: "[Archived the room]" },
  unarchived: { "zh-CN": "[恢复了聊天室]", en: "[Brought the room back]" },
  recovered: {
    "zh-CN": "[管理员生成的链接重置了一位成员的登录方式]",
    en: "[A link of an admin has reset how a member signs in]",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Locale, string>>>>;

/** The kind of a notice. */
export type NoticeKind = keyof typeof noticeTexts;
