import type { Locale } from "@telex/ground/errors";
import { noticeTexts, type NoticeKind } from "./texts.ts";
import { buildMessage } from "../segments.ts";
import { noSources, partiesOf, post, type SendDeps } from "../send.ts";

/** A change of a room that its members must see. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly groupId: number;
  /** The user who has made the change, and is the sender of the notice. */
  readonly userId: number;
  /** The users whom the change concerns. */
  readonly userIds?: readonly number[];
}

/** Names that the text of a notice has. */
const mostNames = 10;

async function namesOf({ findUser }: Pick<SendDeps, "findUser">, userIds: readonly number[]): Promise<string> {
  const users = await Promise.all(userIds.slice(0, mostNames).map((userId) => findUser(userId)));
  const names = users.flatMap((user) => user?.nickname ?? []).join(", ");
  return userIds.length > mostNames ? `${names} … (${userIds.length})` : names;
}

/**
 * Posts notices: messages that report changes of a room. Telex does not send them to external networks. The store marks
 * them: users can neither send nor recall one.
 */
export const createNotices = (deps: SendDeps, locale: Locale) => ({
  /**
   * Resolves when the notice is durable.
   * @throws TelexError `group_not_found`, `user_not_found`
   */
  async post({ kind, groupId, userId, userIds }: Notice): Promise<void> {
    const { room, sender } = await partiesOf(deps, groupId, userId);
    const names = await namesOf(deps, userIds ?? []);
    const text = noticeTexts[kind][locale].replace("{names}", () => names);
    await post(deps, {
      room,
      sender,
      message: buildMessage([{ type: "text", data: { text } }], noSources),
      mentions: null,
      notice: { kind, ...(userIds !== undefined && { userIds: userIds.map(String) }) },
    });
  },
});
