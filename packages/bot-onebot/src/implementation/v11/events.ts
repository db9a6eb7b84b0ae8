import type { Actor } from "../context.ts";
import type { Happening } from "../happenings.ts";
import { peerOf } from "../rooms/own-rooms.ts";
import { heartbeatInterval } from "../tongue.ts";
import { messageOf, uploadOf } from "./views.ts";

const base = ({ telex, holder }: Actor) => ({
  time: Math.floor(telex.clock.now() / 1000),
  self_id: holder.userId,
});

/** The state of the account, which is online whenever it can be asked. */
export const status = { online: true, good: true } as const;

/** A connection opened, or Telex begins to send events as requests. */
export const lifecycle11 = (actor: Actor, sub_type: "connect" | "enable"): object => ({
  ...base(actor),
  post_type: "meta_event",
  meta_event_type: "lifecycle",
  sub_type,
});

export const heartbeat11 = (actor: Actor): object => ({
  ...base(actor),
  post_type: "meta_event",
  meta_event_type: "heartbeat",
  status,
  interval: heartbeatInterval,
});

type Of<Kind extends Happening["kind"]> = Extract<Happening, { readonly kind: Kind }>;

function messageEvent(actor: Actor, said: Of<"message">): object {
  const peer = said.isOwn && said.room.isPrivate ? peerOf(said.room, actor.holder.userId) : null;
  return {
    ...base(actor),
    ...messageOf(said),
    post_type: said.isOwn ? "message_sent" : "message",
    ...(peer !== null && { target_id: peer }),
  };
}

function recallNotice({ room, messageId, authorId, operatorId }: Of<"recall">): object {
  const message = { user_id: authorId ?? 0, message_id: messageId };
  if (room.isPrivate) return { notice_type: "friend_recall", ...message };
  return { notice_type: "group_recall", group_id: room.groupId, operator_id: operatorId ?? 0, ...message };
}

function memberNotice({ holder }: Actor, { kind, groupId, userId }: Of<"joined" | "left">): object {
  const isJoin = kind === "joined";
  return {
    notice_type: isJoin ? "group_increase" : "group_decrease",
    sub_type: isJoin ? "approve" : userId === holder.userId ? "kick_me" : "kick",
    group_id: groupId,
    operator_id: 0,
    user_id: userId,
  };
}

const uploadNotice = ({ room, userId, file, at }: Of<"upload">): object => ({
  notice_type: "group_upload",
  time: Math.floor(at / 1000),
  group_id: room.groupId,
  user_id: userId,
  file: uploadOf(file),
});

function noticeOf(actor: Actor, happening: Exclude<Happening, Of<"message">>): object {
  if (happening.kind === "recall") return recallNotice(happening);
  return happening.kind === "upload" ? uploadNotice(happening) : memberNotice(actor, happening);
}

/** A happening as an event of OneBot 11. */
export const event11 = (actor: Actor, happening: Happening): object =>
  happening.kind === "message"
    ? messageEvent(actor, happening)
    : { ...base(actor), post_type: "notice", ...noticeOf(actor, happening) };
