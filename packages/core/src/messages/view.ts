import { type GroupRecord, pinsOf } from "../records/groups.ts";
import { type MessageView, notice as noticeView, type ReactionView } from "./contract.ts";
import type { Pinyin } from "@telex/search-terms";
import { avatarPath, extAvatarPath } from "@telex/ground/contract";
import type { Locale } from "@telex/ground/errors";
import type { Zone } from "@telex/ground/time";
import type { UserRecord } from "../records/users.ts";
import { extrasOf, isNotice, type MessageRecord } from "../records/messages.ts";
import { isRecalledContent } from "./recalls/recalled.ts";

/** @param hasMore with the fields that clients ask for with `more=1`; default: false */
export type ViewMessage = (record: MessageRecord, group: GroupRecord, hasMore?: boolean) => MessageView;

/** The one translation from a stored message to the interface's (interface 2.9). */
export const createMessageView =
  (zone: Zone, pinyin: Pinyin): ViewMessage =>
  (record, group, hasMore = false) => {
    const message = {
      id: String(record.id),
      groupId: record.groupId,
      groupType: group.groupType,
      userId: record.userId,
      type: record.type,
      content: record.content,
      pinyin: record.pinyin,
      groupName: group.name,
      groupNamePinyin: pinyin.groupName(group.name),
      messageId: record.id,
      createTime: record.createTime,
      receiveTime: zone.format(record.receiveTime),
      nickname: record.nickname,
      nicknamePinyin: record.nicknamePinyin,
      avatar: record.external ? extAvatarPath(record.userId) : avatarPath(record.userId),
    };
    return hasMore ? { ...message, ...moreOf(record, group) } : message;
  };

/** As {@link ViewMessage}, for messages that are read later than they were sent. */
export type ShowMessage = (...input: Parameters<ViewMessage>) => Promise<MessageView>;

/** The names of senders whose users were removed: their messages stay. */
const removedNames: Readonly<Record<Locale, string>> = { en: "deleted user", "zh-CN": "已注销用户" };

interface ShowDeps {
  readonly findUser: (userId: number) => Promise<UserRecord | null>;
  readonly pinyin: Pinyin;
  readonly locale: Locale;
  readonly view: ViewMessage;
}

/** As {@link ShowMessage}, for the messages of a page. */
export type ShowPage = (
  records: readonly MessageRecord[],
  group: GroupRecord,
  hasMore: boolean,
) => Promise<MessageView[]>;

type Names = Pick<MessageRecord, "nickname" | "nicknamePinyin">;

export function createShow({ findUser, pinyin, locale, view }: ShowDeps): { show: ShowMessage; showPage: ShowPage } {
  const removed = removedNames[locale];
  const named = async (user: ReactionView["users"][number]) =>
    user.external !== true && (await findUser(Number(user.userId))) === null ? { ...user, nickname: removed } : user;
  const shown = async ({ users, ...reaction }: ReactionView) => ({
    ...reaction,
    users: await Promise.all(users.map(named)),
  });
  const withUsers = async (message: MessageView): Promise<MessageView> =>
    message.reactions === undefined
      ? message
      : { ...message, reactions: await Promise.all(message.reactions.map(shown)) };
  const newNames = async (userId: string): Promise<Names | null> =>
    (await findUser(Number(userId))) === null ? { nickname: removed, nicknamePinyin: pinyin.nickname(removed) } : null;
  return {
    async show(record, group, hasMore) {
      const names = record.external ? null : await newNames(record.userId);
      return withUsers(view(names === null ? record : { ...record, ...names }, group, hasMore));
    },
    async showPage(records, group, hasMore) {
      const senders = [...new Set(records.filter(({ external }) => !external).map(({ userId }) => userId))];
      const names = new Map(
        await Promise.all(senders.map(async (userId) => [userId, await newNames(userId)] as const)),
      );
      const messages = records.map((record) => {
        const changed = record.external ? null : names.get(record.userId);
        return view(changed === null || changed === undefined ? record : { ...record, ...changed }, group, hasMore);
      });
      return hasMore ? Promise.all(messages.map(withUsers)) : messages;
    },
  };
}

/** The users of a reaction that a view names. */
const mostNamed = 50;

export const reactionsOf = (record: MessageRecord): ReactionView[] =>
  extrasOf(record).reactions.map(({ emoji, users, people }) => {
    const own = users.map(([userId, nickname]) => ({ userId: String(userId), nickname }));
    const others = people.map(([userId, nickname]) => ({ userId, nickname, external: true as const }));
    return { emoji, count: own.length + others.length, users: [...own, ...others].slice(0, mostNamed) };
  });

/** The fields that clients ask for with `more=1`. A server of an earlier version leaves those of a message that it recalls. */
function moreOf(record: MessageRecord, { pins }: GroupRecord): Partial<MessageView> {
  const { id, extras, notice, content } = record;
  const isPinned = pins !== "[]" && pinsOf({ pins }).includes(id);
  const { editedAt, via, tools } = extrasOf(record);
  const reactions = extras === null ? [] : reactionsOf(record);
  return {
    ...(isNotice(record) && { notice: noticeView.parse(JSON.parse(notice ?? "")) }),
    ...(!isRecalledContent(content) && {
      ...(via !== undefined && { via: { kind: "mcp", name: via } }),
      ...(tools !== undefined && { tools }),
      ...(editedAt > 0 && { editedAt }),
      ...(reactions.length > 0 && { reactions }),
      ...(isPinned && { pinned: true }),
    }),
  };
}
