import type { Locale } from "../errors/describe.ts";
import { TelexError } from "../errors/errors.ts";
import { buildMessage } from "./segments.ts";
import { noSources, post, type SendDependencies } from "./send.ts";
import type { MessageRecord } from "../records/messages.ts";

const adminJoins: Readonly<Record<Locale, string>> = {
  "zh-CN": "[管理员加入了聊天室]",
  en: "[An admin has joined the room]",
};

const contents: ReadonlySet<string> = new Set(
  Object.values(adminJoins).map((text) => JSON.stringify([{ text: { text } }])),
);

/** True for the content of a notice that an admin has joined: recalled, the admin would be a member whom nobody has seen come. */
export const isNotice = ({ content }: Pick<MessageRecord, "content">): boolean => contents.has(content);

/** Messages that say what happens in a room. They stay here: no external network gets them. */
export function createNotices(deps: SendDependencies, locale: Locale) {
  return {
    /**
     * Says as a message of this user that an admin joins a room. Resolves when it is durable.
     * @throws TelexError `group_not_found`, `user_not_found`
     */
    async adminJoins(groupId: number, userId: number): Promise<void> {
      const [room, sender] = [await deps.rooms.find(groupId), await deps.findUser(userId)];
      if (room === null) throw new TelexError("group_not_found");
      if (sender === null) throw new TelexError("user_not_found");
      const segments = [{ type: "text", data: { text: adminJoins[locale] } }] as const;
      await post(deps, {
        room,
        sender,
        message: buildMessage(segments, { ...noSources, toGatewayFile: deps.toGatewayFile }),
      });
    },
  };
}
