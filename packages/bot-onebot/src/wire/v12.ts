import type { GatewayMessage, GatewayPart } from "@telex/core";
import { list, shortText } from "@telex/core/contract";
import { z } from "zod";
import type { NetworkRoom } from "../gateway-types.ts";
import { codec12 } from "./codec.ts";
import type { Dialect, PlanDeps, Planned } from "./dialect.ts";
import { longText, mostAccounts, nameOrNull, textOrNull, versionText } from "./fields.ts";
import { id, idOfMessage, listOf, type Segment } from "./frames.ts";
import { noMedia } from "./parts.ts";
import { readEvent12 } from "./v12-events.ts";
import { Unplanned, fileIdOf } from "./v12-uploads.ts";

async function segmentOf(part: GatewayPart, deps: PlanDeps, signal: AbortSignal): Promise<readonly Segment[]> {
  switch (part.kind) {
    case "text":
      return part.text === "" ? [] : [codec12.write(part)];
    case "at":
      return [codec12.write({ kind: "at", id: part.ext, name: "" })];
    case "reply":
      return part.messageId === "" ? [] : [codec12.write({ kind: "reply", id: part.messageId })];
    case "image":
    case "file":
      return [codec12.write({ ...noMedia, kind: part.kind, fileId: await fileIdOf(part.file, deps, signal) })];
  }
}

const addressOf = ({ kind, ext }: NetworkRoom) =>
  kind === "group" ? { detail_type: kind, group_id: ext } : { detail_type: kind, user_id: ext };

async function plan({ room, parts, signal }: GatewayMessage, deps: PlanDeps): Promise<Planned> {
  const message: Segment[] = [];
  try {
    for (const part of parts) message.push(...(await segmentOf(part, deps, signal)));
  } catch (cause) {
    if (cause instanceof Unplanned) return cause.planned;
    throw cause;
  }
  if (message.length === 0) return { outcome: "unsupported" };
  const params = { ...addressOf(room), message };
  return { outcome: "planned", actions: [{ action: "send_message", params, fileName: null, parts }] };
}

const sent = z.object({ message_id: idOfMessage }).transform(({ message_id }) => message_id);

const self = z.object({ platform: shortText(128), user_id: shortText(128, 1) });

const bots = z.object({ bots: list(z.object({ self, online: z.boolean() }), mostAccounts) });

const about = z
  .object({ impl: shortText(100), version: versionText })
  .transform(({ impl, version }) => `${impl} ${version}`.trim());

const login = z.object({ user_id: id }).transform(({ user_id }) => user_id);

const member = z.object({ user_displayname: nameOrNull, user_name: nameOrNull });

const media = z.object({ url: textOrNull(8192), data: longText.nullish() });

const event = z.object({ self });

/** OneBot 12. */
export const dialect12: Dialect = {
  version: 12,
  plan,
  messageIdOf: (data) => sent.safeParse(data).data ?? null,
  echoIdsOf: (data) => [sent].flatMap((schema) => schema.safeParse(data).data ?? []),
  readEvent: readEvent12,
  recall: (_room, message_id) => ({ action: "delete_message", params: { message_id } }),
  // The standard has no reactions, and no extension of it is common.
  react: () => null,
  identityOf(frame) {
    const { data } = event.safeParse(frame);
    return data === undefined ? null : { ext: data.self.user_id, self: data.self };
  },
  status: { action: "get_status", params: {} },
  readStatus(data, ext) {
    const all = bots.safeParse(data).data?.bots ?? [];
    const own = all.find((bot) => bot.self.user_id === ext) ?? (all.length === 1 ? all[0] : undefined);
    return own?.online ?? null;
  },
  readIdentity(data) {
    const [own, other] = bots.safeParse(data).data?.bots ?? [];
    return own === undefined || other !== undefined ? null : { ext: own.self.user_id, self: own.self };
  },
  about: { action: "get_version", params: {} },
  readAbout: (data) => about.safeParse(data).data ?? null,
  groups: { action: "get_group_list", params: {} },
  login: { action: "get_self_info", params: {} },
  readLogin: (data) => login.safeParse(data).data ?? null,
  member: (group_id, user_id) => ({ action: "get_group_member_info", params: { group_id, user_id } }),
  readMember(data) {
    const { user_displayname: card, user_name: name } = member.safeParse(data).data ?? {};
    return card === undefined || card === null || card === "" ? (name ?? "") : card;
  },
  members: (group_id) => ({ action: "get_group_member_list", params: { group_id } }),
  readMembers: (data) =>
    listOf(member.extend({ user_id: id }), data).map(({ user_id, user_displayname, user_name }) => ({
      ext: user_id,
      nickname: user_name ?? "",
      card: user_displayname || null,
    })),
  history: () => null,
  readHistory: () => [],
  readUrl(data) {
    const read = media.safeParse(data).data;
    if (read?.url !== undefined && read.url !== null) return read.url;
    return read?.data === undefined || read.data === null ? null : `base64://${read.data}`;
  },
};
