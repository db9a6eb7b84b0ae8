import type { MessageRecord, NetworkId, NetworkPerson } from "@telex/core/storage";
import { flagAt, integerAt, textAt, textOrNullAt } from "../engine/position-rows.ts";
import { integer, positionsOf, type Row, text } from "../engine/rows.ts";

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

function readType(value: number): MessageRecord["type"] {
  if (value === 0 || value === 1 || value === 2 || value === 3) return value;
  throw new Error("A message has a type that this version does not know.");
}

export const readMessage = (row: Row): MessageRecord => ({
  groupId: integerAt(row, at.group_id),
  seq: integerAt(row, at.seq),
  id: integerAt(row, at.id),
  userId: textAt(row, at.user_id),
  external: flagAt(row, at.external),
  type: readType(integerAt(row, at.type)),
  content: textAt(row, at.content),
  pinyin: textAt(row, at.pinyin),
  nickname: textAt(row, at.nickname),
  nicknamePinyin: textAt(row, at.nickname_pinyin),
  createTime: integerAt(row, at.create_time),
  receiveTime: integerAt(row, at.receive_time),
  botMessageId: textOrNullAt(row, at.bot_message_id),
  notice: textOrNullAt(row, at.notice),
  mentions: textOrNullAt(row, at.mentions),
  extras: textOrNullAt(row, at.extras),
  changed: integerAt(row, at.changed),
});
