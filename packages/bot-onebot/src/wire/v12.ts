import type { GatewayMessage, GatewayPart } from "@telex/core";
import { list, shortText } from "@telex/core/contract";
import { z } from "zod";
import type { GatewayFile, NetworkRoom } from "../gateway-types.ts";
import { toBase64 } from "./bytes.ts";
import { codec12 } from "./codec.ts";
import type { Dialect, PlanDeps, Planned } from "./dialect.ts";
import { longText, mostAccounts, nameOrNull, textOrNull, versionText } from "./fields.ts";
import { type Action, type Answer, id, idOfMessage, listOf, meaningOf, type Segment } from "./frames.ts";
import { noMedia } from "./parts.ts";
import { readEvent12 } from "./v12-events.ts";

/** Bytes of one piece of an upload in pieces. */
const pieceSize = 2 ** 20;

const fileId = z.object({ file_id: shortText(4096, 1) }).transform((data) => data.file_id);

type NotPlanned = Exclude<Planned, { readonly outcome: "planned" }>;

/** The reason why a part of a message cannot be planned. Telex has sent no part of it. */
class Unplanned extends Error {
  readonly planned: NotPlanned;

  constructor(planned: NotPlanned) {
    super(planned.outcome);
    this.planned = planned;
  }
}

/** @throws Unplanned for every answer but an ID */
function readFileId(answer: Answer): string {
  if (answer.outcome === "lost" || answer.outcome === "unsent") throw new Unplanned({ outcome: "offline" });
  const text = answer.outcome === "failed" ? answer.text : "The answer has no file_id.";
  const read = answer.outcome === "ok" ? fileId.safeParse(answer.data).data : undefined;
  if (read !== undefined) return read;
  const meaning = answer.outcome === "failed" ? meaningOf(answer.retcode) : "refused";
  throw new Unplanned(meaning === "refused" ? { outcome: meaning, detail: text } : { outcome: meaning });
}

const upload = (params: Action["params"]): Action => ({ action: "upload_file", params });
const piece = (params: Action["params"]): Action => ({ action: "upload_file_fragmented", params });

/** Uploads a file of any size. Few implementations have this. */
async function uploadInPieces(file: GatewayFile, ask: PlanDeps["ask"], signal: AbortSignal): Promise<string> {
  const prepared = await ask(piece({ stage: "prepare", name: file.name, total_size: file.size }), signal);
  const staged = readFileId(prepared);
  let offset = 0;
  for await (const chunk of await file.open()) {
    for (let start = 0; start < chunk.length; start += pieceSize) {
      const bytes = Buffer.from(chunk.subarray(start, start + pieceSize));
      const params = { stage: "transfer", file_id: staged, offset, data: bytes.toString("base64") };
      const answer = await ask(piece(params), signal);
      if (answer.outcome !== "ok") readFileId(answer);
      offset += bytes.length;
    }
  }
  return readFileId(await ask(piece({ stage: "finish", file_id: staged }), signal));
}

/** The bytes in one frame, else the address, else in pieces. */
async function uploadFile(file: GatewayFile, { ask }: PlanDeps, signal: AbortSignal): Promise<string> {
  const data = await toBase64(file);
  const byData = data === null ? null : await ask(upload({ type: "data", name: file.name, data }), signal);
  if (byData?.outcome === "ok") return readFileId(byData);
  const url = await file.url();
  const byUrl = url === null ? null : await ask(upload({ type: "url", name: file.name, url }), signal);
  if (byUrl?.outcome === "ok") return readFileId(byUrl);
  const refused = byUrl ?? byData;
  return refused === null ? uploadInPieces(file, ask, signal) : readFileId(refused);
}

async function fileIdOf(file: GatewayFile, deps: PlanDeps, signal: AbortSignal): Promise<string> {
  const known = deps.uploaded.get(file.md5) ?? (await uploadFile(file, deps, signal));
  deps.uploaded.set(file.md5, known);
  return known;
}

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
