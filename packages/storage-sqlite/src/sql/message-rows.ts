import type { MessageRecord, NetworkId, NetworkPerson } from "@telex/core/storage";
import { flag, integer, oneOf, positionsOf, type Row, text, textOrNull } from "../engine/rows.ts";

/** The newest message of a room. */
export interface Head {
  readonly seq: number;
  readonly id: number;
}

export const readHead = (row: Row): Head => ({ seq: integer(row, "seq"), id: integer(row, "id") });

export const readSeq = (row: Row): number => integer(row, "seq");

export const readNonce = (row: Row) => ({
  fingerprint: text(row, "fingerprint"),
  seq: integer(row, "seq"),
  at: integer(row, "at"),
});

/** The position of a message. */
export interface Position {
  readonly id: number;
  readonly groupId: number;
  readonly seq: number;
}

export const readPosition = (row: Row): Position => ({
  id: integer(row, "id"),
  groupId: integer(row, "group_id"),
  seq: integer(row, "seq"),
});

export const readNetworkId = (row: Row): NetworkId => ({
  account: text(row, "account"),
  messageId: text(row, "bot_message_id"),
});

export const readPerson = (row: Row): NetworkPerson => ({
  number: integer(row, "number"),
  network: text(row, "network"),
  ext: text(row, "ext"),
});

export const list = [
  "group_id",
  "seq",
  "id",
  "user_id",
  "external",
  "type",
  "content",
  "pinyin",
  "nickname",
  "nickname_pinyin",
  "create_time",
  "receive_time",
  "bot_message_id",
  "notice",
  "mentions",
  "extras",
  "changed",
] as const;

export const columns = list.join(", ");

const at = positionsOf(list);

export const readMessage = (row: Row): MessageRecord => ({
  groupId: integer(row, at.group_id),
  seq: integer(row, at.seq),
  id: integer(row, at.id),
  userId: text(row, at.user_id),
  external: flag(row, at.external),
  type: oneOf(row, at.type, [0, 1, 2, 3]),
  content: text(row, at.content),
  pinyin: text(row, at.pinyin),
  nickname: text(row, at.nickname),
  nicknamePinyin: text(row, at.nickname_pinyin),
  createTime: integer(row, at.create_time),
  receiveTime: integer(row, at.receive_time),
  botMessageId: textOrNull(row, at.bot_message_id),
  notice: textOrNull(row, at.notice),
  mentions: textOrNull(row, at.mentions),
  extras: textOrNull(row, at.extras),
  changed: integer(row, at.changed),
});
