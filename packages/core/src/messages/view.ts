import type { GroupRecord } from "../records/groups.ts";
import { type MessageView, notice as noticeView } from "./contract.ts";
import type { Pinyin } from "@telex/search-terms";
import { avatarPath, extAvatarPath } from "@telex/ground/contract";
import type { Zone } from "@telex/ground/time";
import { isNotice, type MessageRecord } from "../records/messages.ts";

/** @param hasMore with the fields that clients ask for with `more=1`; default: false */
export type ViewMessage = (record: MessageRecord, group: GroupRecord, hasMore?: boolean) => MessageView;

/** The one translation from a stored message to the interface's (interface 2.9). */
export const createMessageView =
  (zone: Zone, pinyin: Pinyin): ViewMessage =>
  (record, group, hasMore = false) => ({
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
    ...(hasMore && isNotice(record) && { notice: noticeView.parse(JSON.parse(record.notice ?? "")) }),
  });
