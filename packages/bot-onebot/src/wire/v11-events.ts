import { list } from "@telex/core/contract";
import { z } from "zod";
import type { NetworkRoom } from "../gateway-types.ts";
import { contentOf } from "./content.ts";
import { readCqCodes } from "./cq.ts";
import type { HistoryKey, Open } from "./dialect.ts";
import type { BotEvent, MessageEvent } from "./events.ts";
import { eventTime, nameOrNull, shortened, textOrNull } from "./fields.ts";
import { fieldsSchema, id, idOfMessage, readList } from "./frames.ts";
import { noMedia } from "./parts.ts";
import { emojiOfFace } from "./reactions.ts";
import { fileOf, partOf, fileMessageId, fileIdsOf } from "./v11-files.ts";

/** The content of a message: an array, one segment, or a string with CQ codes. */
export const content11 = contentOf(readCqCodes);

const message = z.object({
  post_type: z.enum(["message", "message_sent"]),
  message_type: z.enum(["group", "private"]),
  message_id: idOfMessage,
  self_id: id,
  user_id: id,
  group_id: id.nullish(),
  group_name: shortened(64).nullish(),
  /** The other person of a private chat, if the account itself sent the message. */
  target_id: id.nullish(),
  sender: z.object({ card: nameOrNull, nickname: nameOrNull }).nullish(),
  time: eventTime,
  message: content11,
});

const upload = z.object({
  notice_type: z.literal("group_upload"),
  self_id: id,
  user_id: id,
  group_id: id,
  time: eventTime,
  file: z.object({ id, name: shortened(512).refine((text) => text !== ""), url: textOrNull(8192), busid: z.unknown() }),
});

const recall = z.object({
  notice_type: z.enum(["group_recall", "friend_recall"]),
  message_id: idOfMessage,
  user_id: id,
  group_id: id.nullish(),
  operator_id: id.nullish(),
});

const reaction = z.object({
  notice_type: z.literal("group_msg_emoji_like"),
  message_id: idOfMessage,
  self_id: id,
  // Some implementations omit the person who reacted to a message of another person.
  user_id: id.nullish(),
  group_id: id,
  likes: list(z.object({ emoji_id: id }), 100),
  sub_type: textOrNull(64),
  is_add: z.boolean().nullish().catch(null),
});

const heartbeat = z.object({
  meta_event_type: z.literal("heartbeat"),
  interval: z.number().positive().nullish(),
  status: z.object({ online: z.boolean().nullish() }).nullish(),
});

const wentOffline = z.object({ notice_type: z.literal("bot_offline") });

/** The events of OneBot 11 that Telex uses. */
export const events11 = { message, upload, recall, reaction, heartbeat, wentOffline } as const;

/** The room of a message; null if the event does not say. */
function roomOf(said: z.output<typeof message>, isOwn: boolean): NetworkRoom | null {
  const { message_type: kind, group_id: group, user_id: user, target_id: target } = said;
  const ext = kind === "group" ? group : isOwn ? target : user;
  return ext === undefined || ext === null ? null : { kind, ext };
}

function readMessage(said: z.output<typeof message>, ext: string | null, open: Open): BotEvent {
  const isOwn = said.post_type === "message_sent" || said.user_id === said.self_id || said.user_id === ext;
  const room = roomOf(said, isOwn);
  // A private message of the account itself may lack its receiver.
  if (room === null) return { kind: isOwn && said.message_type === "private" ? "other" : "malformed" };
  const { card, nickname } = said.sender ?? {};
  const parts = said.message.map((one) => partOf(one, room, open));
  const [first] = parts;
  return {
    kind: "message",
    messageId: said.message_id,
    otherIds: fileIdsOf(said.message),
    fileName: parts.length === 1 && first?.type === "file" ? first.data.name : null,
    room,
    roomName: said.group_name ?? "",
    sender: { ext: said.user_id, name: (card === "" ? null : card) ?? nickname ?? null },
    isOwn,
    createTime: said.time,
    parts,
  };
}

/** A file in a group arrives as a notice, which has no id of a message. */
function readUpload({ file, ...notice }: z.output<typeof upload>, ext: string | null, open: Open): BotEvent {
  const room = { kind: "group", ext: notice.group_id } as const;
  const { name, url } = file;
  return {
    kind: "message",
    messageId: fileMessageId(file.id),
    otherIds: [],
    fileName: name,
    room,
    roomName: "",
    sender: { ext: notice.user_id, name: null },
    isOwn: notice.user_id === notice.self_id || notice.user_id === ext,
    createTime: notice.time,
    parts: [fileOf({ ...noMedia, kind: "file", name, url: url ?? null, fileId: file.id }, room, open)],
  };
}

function readRecall({ notice_type, message_id, ...notice }: z.output<typeof recall>): BotEvent {
  const { user_id: user, group_id: group, operator_id: operator } = notice;
  if (notice_type === "friend_recall")
    return { kind: "recall", messageId: message_id, room: { kind: "private", ext: user }, operator: user };
  if (group === undefined || group === null) return { kind: "malformed" };
  return { kind: "recall", messageId: message_id, room: { kind: "group", ext: group }, operator: operator ?? null };
}

/** Reactions of the account are not events: it reacts for the members of the room. */
function readReaction(said: z.output<typeof reaction>, ext: string | null): BotEvent {
  const { user_id: user, is_add: isAdd, sub_type: kind } = said;
  if (user === undefined || user === null || user === said.self_id || user === ext) return { kind: "other" };
  return {
    kind: "reaction",
    messageId: said.message_id,
    room: { kind: "group", ext: said.group_id },
    operator: user,
    emoji: said.likes.flatMap(({ emoji_id }) => emojiOfFace(emoji_id) ?? []),
    isRemoval: isAdd === false || kind === "remove",
  };
}

const needed = z.union([
  z.object({ post_type: z.enum(["message", "message_sent"]) }),
  z.object({ notice_type: z.enum(["group_upload", "group_recall", "friend_recall", "group_msg_emoji_like"]) }),
  z.object({ meta_event_type: z.literal("heartbeat") }),
]);

/** Reads an event of OneBot 11. */
export function readEvent11(frame: unknown, ext: string | null, open: Open): BotEvent {
  const parsed = message.safeParse(frame).data;
  if (parsed !== undefined) return readMessage(parsed, ext, open);
  const uploaded = upload.safeParse(frame).data;
  if (uploaded !== undefined) return readUpload(uploaded, ext, open);
  const recalled = recall.safeParse(frame).data;
  if (recalled !== undefined) return readRecall(recalled);
  const reacted = reaction.safeParse(frame).data;
  if (reacted !== undefined) return readReaction(reacted, ext);
  const beat = heartbeat.safeParse(frame).data;
  if (beat !== undefined)
    return { kind: "heartbeat", interval: beat.interval ?? null, isOnline: beat.status?.online ?? null };
  if (wentOffline.safeParse(frame).success) return { kind: "state", isOnline: false };
  return { kind: needed.safeParse(frame).success ? "malformed" : "other" };
}

const past = z.object({ messages: z.unknown() });

/** The messages of a history. Implementations omit facts of the request: the account and the room. */
export function readHistory11(data: unknown, { room, ext }: HistoryKey, open: Open): readonly MessageEvent[] {
  const address = room.kind === "group" ? { group_id: room.ext } : { target_id: room.ext };
  const around = { post_type: "message", self_id: ext, message_type: room.kind, ...address };
  const said = readList(past.safeParse(data).data?.messages, (one) => {
    const fields = fieldsSchema.safeParse(one).data;
    const event = fields === undefined ? null : readEvent11({ ...around, ...fields }, ext, open);
    return event?.kind === "message" ? event : null;
  });
  // Only its name shows which message sent a file of the account, and another file may have that name.
  return said.filter(({ isOwn, otherIds }) => !isOwn || otherIds.length === 0).map((event) => ({ ...event, room }));
}
