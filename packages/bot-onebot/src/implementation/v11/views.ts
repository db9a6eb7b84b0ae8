import type { MediaPart } from "../../wire/parts.ts";
import { codec11 } from "../../wire/codec.ts";
import { writeCqCodes } from "../../wire/cq.ts";
import type { Said } from "../happenings.ts";
import type { BookedMember, BookedRoom } from "../rooms/room-book.ts";

/** A person in the form of OneBot 11. */
export const personOf = ({ userId, nickname }: BookedMember) => ({
  user_id: userId,
  nickname,
  sex: "unknown",
  age: 0,
});

/** A member of a group in the form of OneBot 11. */
export const memberOf = ({ groupId }: BookedRoom, member: BookedMember) => ({
  group_id: groupId,
  ...personOf(member),
  card: member.card ?? "",
  area: "",
  join_time: 0,
  last_sent_time: 0,
  level: "0",
  role: "member",
  unfriendly: false,
  title: "",
  title_expire_time: 0,
  card_changeable: false,
});

/** A group in the form of OneBot 11. */
export const groupOf = ({ groupId, name, createdAt, members }: BookedRoom) => ({
  group_id: groupId,
  group_name: name,
  group_create_time: Math.floor(Date.parse(createdAt) / 1000),
  member_count: members.size,
  max_member_count: members.size,
});

const senderOf = ({ room, view }: Said) => {
  const userId = Number(view.userId);
  const member = room.members.get(userId) ?? { userId, nickname: view.nickname, card: null, ext: null };
  const person = { ...personOf(member), nickname: view.nickname };
  return room.isPrivate
    ? person
    : { ...person, card: member.card ?? "", role: "member", title: "", level: "0", area: "" };
};

/** A message in the form of OneBot 11, without the fields that only its event has. */
export function messageOf(said: Said) {
  const { room, view, parts } = said;
  const message = parts.map((part) => codec11.write(part));
  return {
    time: Math.floor(view.createTime / 1000),
    message_type: room.isPrivate ? "private" : "group",
    sub_type: room.isPrivate ? "friend" : "normal",
    message_id: view.messageId,
    real_id: view.messageId,
    message_seq: view.messageId,
    user_id: Number(view.userId),
    ...(!room.isPrivate && { group_id: room.groupId, anonymous: null }),
    sender: senderOf(said),
    message,
    message_format: "array",
    raw_message: writeCqCodes(message),
    font: 0,
  };
}

/** The file of a notice. */
export const uploadOf = ({ fileId, name, size, url }: MediaPart) => ({
  id: fileId,
  name,
  size: size ?? 0,
  busid: 0,
  url,
});
