import { shortText } from "@telex/core/contract";
import type { GatewayMessage, GatewayPart } from "@telex/core";
import { z } from "zod";
import type { NetworkRoom } from "../gateway-types.ts";
import { toSource } from "./bytes.ts";
import { codec11 } from "./codec.ts";
import type { Dialect, Planned, PlannedAction } from "./dialect.ts";
import { filledText, nameOrNull, versionText } from "./fields.ts";
import { type Action, id, idOfMessage, listOf, type Segment } from "./frames.ts";
import { noMedia } from "./parts.ts";
import { faceOfEmoji } from "./reactions.ts";
import { readEvent11, readHistory11 } from "./v11-events.ts";

/** Ids are numbers in this version. An id that is not a number, or too large to be exact, stays a string. */
function toNumber(ext: string): number | string {
  const value = Number(ext);
  return /^-?\d{1,16}$/.test(ext) && Number.isSafeInteger(value) ? value : ext;
}

type FilePart = Extract<GatewayPart, { readonly kind: "file" }>;
type Spoken = Exclude<GatewayPart, FilePart>;

/** A part as this version expects it: null if it cannot take the part, empty for a quote of an unknown message. */
async function segmentOf(part: Spoken): Promise<readonly Segment[] | null> {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [codec11.write(part)];
    case "at":
      return [codec11.write({ kind: "at", id: part.ext, name: "" })];
    case "reply":
      return part.messageId === "" ? [] : [codec11.write({ kind: "reply", id: part.messageId })];
    case "image": {
      const file = await toSource(part.file);
      return file === null ? null : [codec11.write({ ...noMedia, kind: "image", file })];
    }
  }
}

const addressOf = ({ kind, ext }: NetworkRoom) =>
  kind === "group" ? { group_id: toNumber(ext) } : { user_id: toNumber(ext) };

const sendAction = (room: NetworkRoom, message: readonly Segment[], parts: readonly Spoken[]): PlannedAction => ({
  action: room.kind === "group" ? "send_group_msg" : "send_private_msg",
  params: { ...addressOf(room), message },
  fileName: null,
  parts,
});

/** A file is a separate action, whose answer has no id of a message. */
async function uploadAction(room: NetworkRoom, part: FilePart): Promise<PlannedAction | null> {
  const { file } = part;
  const source = await toSource(file);
  if (source === null) return null;
  const action = room.kind === "group" ? "upload_group_file" : "upload_private_file";
  const params = { ...addressOf(room), file: source, name: file.name };
  return { action, params, fileName: file.name, parts: [part] };
}

async function plan({ room, parts }: GatewayMessage): Promise<Planned> {
  const files = parts.flatMap((part) => (part.kind === "file" ? [part] : []));
  const spoken = parts.flatMap((part) => (part.kind === "file" ? [] : [part]));
  const segments = await Promise.all(spoken.map(segmentOf));
  const uploads = await Promise.all(files.map((file) => uploadAction(room, file)));
  const message = segments.flatMap((segment) => segment ?? []);
  const actions = [...(message.length === 0 ? [] : [sendAction(room, message, spoken)]), ...uploads];
  const all = actions.flatMap((action) => action ?? []);
  if (segments.includes(null) || uploads.includes(null) || all.length === 0) return { outcome: "unsupported" };
  return { outcome: "planned", actions: all };
}

/** A file in a group has its own id. A message that is known only by the name of its file cannot be recalled. */
function recall({ kind, ext }: NetworkRoom, messageId: string): Action | null {
  const [, file_id] = /^file:(.*)$/s.exec(messageId) ?? [];
  if (file_id === undefined) {
    return messageId.startsWith("upload:")
      ? null
      : { action: "delete_msg", params: { message_id: toNumber(messageId) } };
  }
  return kind === "group" ? { action: "delete_group_file", params: { group_id: toNumber(ext), file_id } } : null;
}

/** An extension that NapCat, LLOneBot and others have. An id of a file has no message to react to. */
function react(messageId: string, emoji: string, isRemoval: boolean): Action | null {
  const emoji_id = faceOfEmoji(emoji);
  if (emoji_id === null || /^(?:file|upload):/.test(messageId)) return null;
  return { action: "set_msg_emoji_like", params: { message_id: toNumber(messageId), emoji_id, set: !isRemoval } };
}

const sent = z.object({ message_id: idOfMessage }).transform(({ message_id }) => message_id);
const uploaded = z.object({ file_id: shortText(120, 1) }).transform(({ file_id }) => `file:${file_id}`);
const status = z.object({ online: z.boolean().nullish() });
const about = z
  .object({ app_name: shortText(100), app_version: versionText })
  .transform(({ app_name, app_version }) => `${app_name} ${app_version}`.trim());
const login = z.object({ user_id: id }).transform(({ user_id }) => user_id);
const member = z.object({ card: nameOrNull, nickname: nameOrNull });
const url = z.object({ url: filledText }).transform((data) => data.url);
const identity = z.object({ self_id: id });

/** OneBot 11, as NapCat and others speak it. */
export const dialect11: Dialect = {
  version: 11,
  plan,
  messageIdOf: (data) => sent.safeParse(data).data ?? null,
  echoIdsOf: (data) => [sent, uploaded].flatMap((schema) => schema.safeParse(data).data ?? []),
  readEvent: readEvent11,
  recall,
  react,
  identityOf(frame) {
    const { data } = identity.safeParse(frame);
    return data === undefined ? null : { ext: data.self_id, self: null };
  },
  status: { action: "get_status", params: {} },
  // `null` counts as online: the implementation cannot tell.
  readStatus: (data) => status.safeParse(data).data?.online ?? null,
  readIdentity: () => null,
  about: { action: "get_version_info", params: {} },
  readAbout: (data) => about.safeParse(data).data ?? null,
  groups: { action: "get_group_list", params: {} },
  login: { action: "get_login_info", params: {} },
  readLogin: (data) => login.safeParse(data).data ?? null,
  member: (groupExt, ext) => ({
    action: "get_group_member_info",
    params: { group_id: toNumber(groupExt), user_id: toNumber(ext) },
  }),
  readMember(data) {
    const { card, nickname } = member.safeParse(data).data ?? {};
    return card === undefined || card === null || card === "" ? (nickname ?? "") : card;
  },
  members: (groupExt) => ({ action: "get_group_member_list", params: { group_id: toNumber(groupExt) } }),
  readMembers: (data) =>
    listOf(member.extend({ user_id: id }), data).map(({ user_id, card, nickname }) => ({
      ext: user_id,
      nickname: nickname ?? "",
      card: card || null,
    })),
  history: (room, count) => ({
    action: room.kind === "group" ? "get_group_msg_history" : "get_friend_msg_history",
    params: { ...addressOf(room), count },
  }),
  readHistory: readHistory11,
  readUrl: (data) => url.safeParse(data).data ?? null,
};
