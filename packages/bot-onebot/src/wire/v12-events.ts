import { list } from "@telex/core/contract";
import { z } from "zod";
import type { IncomingPart, NetworkRoom } from "../gateway-types.ts";
import { codec12 } from "./codec.ts";
import type { Open } from "./dialect.ts";
import type { BotEvent } from "./events.ts";
import { contentOf } from "./content.ts";
import { eventTime, mostAccounts } from "./fields.ts";
import { id, idOfMessage, type Segment } from "./frames.ts";
import { labelOf } from "./labels.ts";
import type { MediaPart } from "./parts.ts";

/** The content of a message: an array, one segment, or a text. */
export const content12 = contentOf((text) => [{ type: "text", data: { text } }]);

const message = z.object({
  type: z.literal("message"),
  detail_type: z.enum(["group", "private"]),
  message_id: idOfMessage,
  user_id: id,
  group_id: id.nullish(),
  self: z.object({ user_id: id }).nullish(),
  time: eventTime,
  message: content12,
});

const recall = z.object({
  type: z.literal("notice"),
  detail_type: z.enum(["group_message_delete", "private_message_delete"]),
  message_id: idOfMessage,
  user_id: id,
  group_id: id.nullish(),
  operator_id: id.nullish(),
});

const heartbeat = z.object({
  type: z.literal("meta"),
  detail_type: z.literal("heartbeat"),
  interval: z.number().positive().nullish(),
});

const statusUpdate = z.object({
  type: z.literal("meta"),
  detail_type: z.literal("status_update"),
  status: z.object({
    good: z.boolean().nullish(),
    bots: list(z.object({ self: z.object({ user_id: id }), online: z.boolean() }), mostAccounts).default([]),
  }),
});

/** The events of OneBot 12 that Telex uses. */
export const events12 = { message, recall, heartbeat, statusUpdate } as const;

function mediaOf({ kind, fileId, name }: MediaPart, open: Open): IncomingPart {
  const find = fileId === "" ? null : { action: "get_file", params: { file_id: fileId, type: "url" } };
  const opened = open({ url: null, find });
  return kind === "image"
    ? { type: kind, data: { open: opened, summary: "", subType: "" } }
    : { type: kind, data: { open: opened, name: name.slice(0, 512) || "file" } };
}

function partOf(one: Segment, open: Open): IncomingPart {
  const part = codec12.read(one);
  switch (part.kind) {
    case "text":
      return { type: "text", data: { text: part.text } };
    case "at":
      return { type: "at", data: { ext: part.id, name: "" } };
    case "reply":
      return { type: "reply", data: { messageId: part.id } };
    case "image":
    case "file":
      return mediaOf(part, open);
    case "other":
      return { type: "text", data: { text: labelOf(part.type) } };
  }
}

/** The account's own messages in a private chat do not say to whom: they have no room. */
function roomOf({ detail_type: kind, group_id: group, user_id: user }: z.output<typeof message>, isOwn: boolean) {
  const ext = kind === "group" ? group : isOwn ? null : user;
  return ext === undefined || ext === null ? null : ({ kind, ext } satisfies NetworkRoom);
}

/** OneBot 12 has none of these in its messages. */
const absent = { otherIds: [], fileName: null, roomName: "" } as const;

function readMessage(said: z.output<typeof message>, ext: string | null, open: Open): BotEvent {
  const isOwn = said.user_id === (said.self?.user_id ?? ext);
  const room = roomOf(said, isOwn);
  if (room === null) return { kind: said.detail_type === "private" ? "other" : "malformed" };
  return {
    kind: "message",
    ...absent,
    messageId: said.message_id,
    room,
    sender: { ext: said.user_id, name: null },
    isOwn,
    createTime: said.time,
    parts: said.message.map((one) => partOf(one, open)),
  };
}

function readRecall(notice: z.output<typeof recall>): BotEvent {
  const { message_id: messageId, user_id: user, group_id: group, operator_id: operator } = notice;
  const isGroup = notice.detail_type === "group_message_delete";
  const ext = isGroup ? group : user;
  if (ext === undefined || ext === null) return { kind: "malformed" };
  const room: NetworkRoom = { kind: isGroup ? "group" : "private", ext };
  return { kind: "recall", messageId, room, operator: operator ?? (isGroup ? null : user) };
}

const needed = z.union([
  z.object({ type: z.literal("message"), detail_type: z.enum(["group", "private"]) }),
  z.object({ type: z.literal("notice"), detail_type: z.enum(["group_message_delete", "private_message_delete"]) }),
  z.object({ type: z.literal("meta"), detail_type: z.enum(["heartbeat", "status_update"]) }),
]);

/** Reads an event of OneBot 12. */
export function readEvent12(frame: unknown, ext: string | null, open: Open): BotEvent {
  const parsed = message.safeParse(frame).data;
  if (parsed !== undefined) return readMessage(parsed, ext, open);
  const recalled = recall.safeParse(frame).data;
  if (recalled !== undefined) return readRecall(recalled);
  const beat = heartbeat.safeParse(frame).data;
  if (beat !== undefined) return { kind: "heartbeat", interval: beat.interval ?? null, isOnline: null };
  const updated = statusUpdate.safeParse(frame).data;
  if (updated === undefined) return { kind: needed.safeParse(frame).success ? "malformed" : "other" };
  const { bots } = updated.status;
  // The first update lists all accounts, later ones only what has changed.
  const own =
    bots.find(({ self }) => self.user_id === ext) ?? (bots.length === 1 && ext === null ? bots[0] : undefined);
  return own === undefined ? { kind: "other" } : { kind: "state", isOnline: own.online };
}
