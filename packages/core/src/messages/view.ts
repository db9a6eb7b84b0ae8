import type { GroupRecord } from "../records/groups.ts";
import type { MessageView } from "./contract.ts";
import type { Pinyin } from "@telex/search-terms";
import { avatarPath, extAvatarPath } from "@telex/ground/contract";
import type { Zone } from "@telex/ground/time";
import type { MessageRecord } from "../records/messages.ts";

export type ViewMessage = (record: MessageRecord, group: GroupRecord) => MessageView;

/** The one translation from a stored message to the interface's (interface 2.9). */
export const createMessageView =
  (zone: Zone, pinyin: Pinyin): ViewMessage =>
  (record, group) => ({
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
  });
