import { TelexError, type Locale } from "@telex/ground/errors";
import { buildMessage } from "./segments.ts";
import { noSources, post, type SendDependencies } from "./send.ts";
import type { MessageRecord } from "../records/messages.ts";

/** Actions of admins that members of a room must see. The admin is the sender of the notice. */
const notices = {
  joins: { "zh-CN": "[管理员加入了聊天室]", en: "[An admin has joined the room]" },
  changesAccount: {
    "zh-CN": "[管理员更改了连接此聊天室与外部网络的账号]",
    en: "[An admin has changed the account that connects this room to its network]",
  },
  changesModel: {
    "zh-CN": "[管理员让 AI 模型以一位成员的身份回答]",
    en: "[An admin has made an AI model answer as a member]",
  },
  recovers: {
    "zh-CN": "[管理员生成的链接重置了一位成员的登录方式]",
    en: "[A link of an admin has reset how a member signs in]",
  },
} as const satisfies Readonly<Record<string, Readonly<Record<Locale, string>>>>;

export type Notice = keyof typeof notices;

const contents: ReadonlySet<string> = new Set(
  Object.values(notices)
    .flatMap((notice) => Object.values(notice))
    .map((text) => JSON.stringify([{ text: { text } }])),
);

/** True for the content of a notice. It cannot be recalled, so that members see what the admin did. */
export const isNotice = ({ content }: Pick<MessageRecord, "content">): boolean => contents.has(content);

/** Messages that say what happens in a room. They stay here: no external network gets them. */
export function createNotices(deps: SendDependencies, locale: Locale) {
  return {
    /**
     * Posts a notice about the action of an admin to a room, as a message of the admin. Resolves when it is durable.
     * @throws TelexError `group_not_found`, `user_not_found`
     */
    async post(notice: Notice, groupId: number, userId: number): Promise<void> {
      const [room, sender] = [await deps.rooms.find(groupId), await deps.findUser(userId)];
      if (room === null) throw new TelexError("group_not_found");
      if (sender === null) throw new TelexError("user_not_found");
      const segments = [{ type: "text", data: { text: notices[notice][locale] } }] as const;
      await post(deps, { room, sender, message: buildMessage(segments, noSources) });
    },
  };
}
