import { randomUUID } from "node:crypto";
import type { Actor } from "../context.ts";
import type { Happening } from "../happenings.ts";
import { ActionError } from "../results.ts";
import { heartbeatInterval } from "../tongue.ts";
import { messageOf, selfOf, statusOf } from "./views.ts";
import { versionInfo12 } from "../version.ts";

// The standard has `self` only in other events. AlemonJS ignores a meta event without it, and then treats Telex as OneBot 11.
const meta = (actor: Actor, detail_type: string) => ({
  id: randomUUID(),
  self: selfOf(actor),
  time: actor.telex.clock.now() / 1000,
  type: "meta",
  detail_type,
  sub_type: "",
});

/** The first event of a socket, and the state of the account. */
export const greeting12 = (actor: Actor, isSocket: boolean): readonly object[] => [
  ...(isSocket ? [{ ...meta(actor, "connect"), version: versionInfo12(actor.appVersion) }] : []),
  { ...meta(actor, "status_update"), status: statusOf(actor) },
];

export const heartbeat12 = (actor: Actor): object => ({ ...meta(actor, "heartbeat"), interval: heartbeatInterval });

const base = (actor: Actor, time: number) => ({ id: randomUUID(), self: selfOf(actor), time: time / 1000 });

function recallNotice({ room, messageId, authorId, operatorId }: Extract<Happening, { kind: "recall" }>): object {
  const message = { message_id: String(messageId), user_id: String(authorId ?? "") };
  if (room.isPrivate) return { detail_type: "private_message_delete", sub_type: "", ...message };
  return {
    detail_type: "group_message_delete",
    sub_type: operatorId === authorId ? "recall" : "delete",
    group_id: String(room.groupId),
    operator_id: String(operatorId ?? ""),
    ...message,
  };
}

const memberNotice = ({ kind, groupId, userId }: Extract<Happening, { kind: "joined" | "left" }>): object => ({
  detail_type: kind === "joined" ? "group_member_increase" : "group_member_decrease",
  sub_type: kind === "joined" ? "join" : "kick",
  group_id: String(groupId),
  user_id: String(userId),
  operator_id: "",
});

/** A happening as an event of OneBot 12. Files are parts of messages there. */
export function event12(actor: Actor, happening: Happening): object {
  const now = actor.telex.clock.now();
  if (happening.kind === "message")
    return { ...base(actor, happening.view.createTime), type: "message", ...messageOf(happening) };
  if (happening.kind === "upload") throw new ActionError("internal", "OneBot 12 has no notices of files.");
  const notice = happening.kind === "recall" ? recallNotice(happening) : memberNotice(happening);
  return { ...base(actor, now), type: "notice", ...notice };
}
