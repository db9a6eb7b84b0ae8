import { codec12 } from "../../wire/codec.ts";
import { labelOf } from "../../wire/labels.ts";
import type { Actor } from "../context.ts";
import type { Said } from "../happenings.ts";
import type { SpokenPart } from "../outgoing-parts.ts";
import type { BookedMember, BookedRoom } from "../rooms/room-book.ts";
import { implementation } from "../tongue.ts";

/** The account as OneBot 12 names it. */
export const selfOf = ({ holder }: Actor) => ({ platform: implementation, user_id: String(holder.userId) });

/** The state of the implementation. */
export const statusOf = (actor: Actor) => ({ good: true, bots: [{ self: selfOf(actor), online: true }] });

/** A person in the form of OneBot 12; in a group with their card. */
export const personOf = ({ userId, nickname, card }: BookedMember) => ({
  user_id: String(userId),
  user_name: nickname,
  user_displayname: card ?? "",
  user_remark: "",
});

/** A group in the form of OneBot 12. */
export const groupOf = ({ groupId, name }: BookedRoom) => ({ group_id: String(groupId), group_name: name });

const textOf = (part: SpokenPart): string => {
  if (part.kind === "text") return part.text;
  if (part.kind === "at") return `@${part.name || part.id}`;
  return part.kind === "reply" ? "" : part.kind === "image" ? "[图片]" : labelOf(part.kind);
};

/** A message in the form of OneBot 12. */
export const messageOf = ({ room, view, parts }: Said) => ({
  detail_type: room.isPrivate ? "private" : "group",
  sub_type: "",
  message_id: String(view.messageId),
  user_id: view.userId,
  ...(!room.isPrivate && { group_id: String(room.groupId) }),
  message: parts.map((part) => codec12.write(part)),
  alt_message: parts.map(textOf).join(""),
});
