import { shortText } from "@telex/core/contract";
import { createHash } from "node:crypto";
import { z } from "zod";
import { content12 } from "../../wire/v12-events.ts";
import { longText } from "../../wire/fields.ts";
import { action, type Run } from "../actions/action.ts";
import { enterGroup, findPrivate, recall, send } from "../actions/send.ts";
import type { Acting, Actor } from "../context.ts";
import { findFile, type LocalFile, readBase64, uploadBytes, uploadFrom, uploadIdOf } from "../files.ts";
import { findMember, findPerson, findSelf, listFriends, listGroups } from "../rooms/people.ts";
import { ActionError } from "../results.ts";
import { groupOf, personOf, statusOf } from "./views.ts";
import { versionInfo12 } from "../version.ts";

/** Bytes of one answer: pictures and files come as base64. */
const mostInFrame = 8 * 2 ** 20;
/** Bytes that an upload in pieces may announce. */
const largest = 2 ** 40;

/** IDs are strings in this version: a number is refused. */
const id12 = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, { error: "must be the id of something, as a string" })
  .transform(Number)
  .refine((value) => Number.isSafeInteger(value), { error: "is not an id" });

const nothing = z.unknown();
const group = z.object({ group_id: id12 });
const user = z.object({ user_id: id12 });
const message = z.object({ message_id: id12 });
// The longest name, of 512 characters, has 2,048 in an ID.
const fileId = z.object({ file_id: shortText(2500, 1) });
const name = shortText(512, 1);
const sha256 = z
  .string()
  .regex(/^[0-9a-fA-F]{64}$/)
  .optional();

const sending = z.discriminatedUnion("detail_type", [
  z.object({ detail_type: z.literal("group"), group_id: id12, message: content12 }),
  z.object({ detail_type: z.literal("private"), user_id: id12, message: content12 }),
]);

const messages: Readonly<Record<string, Run>> = {
  send_message: action(sending, async (actor, given) => {
    const room =
      given.detail_type === "group" ? await enterGroup(actor, given.group_id) : await findPrivate(actor, given.user_id);
    const { messageId, createTime } = await send(actor, room, given.message);
    return { message_id: String(messageId), time: createTime / 1000 };
  }),
  delete_message: action(message, (actor, { message_id }) => recall(actor, message_id)),
};

const people: Readonly<Record<string, Run>> = {
  get_self_info: action(nothing, async (actor) => personOf(await findSelf(actor))),
  get_user_info: action(user, async (actor, { user_id }) =>
    personOf({ ...(await findPerson(actor, user_id)), card: null }),
  ),
  get_friend_list: action(nothing, async (actor) => (await listFriends(actor)).map(personOf)),
  get_group_list: action(nothing, async (actor) => (await listGroups(actor)).map(groupOf)),
  get_group_info: action(group, async (actor, { group_id }) => groupOf(await enterGroup(actor, group_id))),
  get_group_member_list: action(group, async (actor, { group_id }) =>
    Array.from((await enterGroup(actor, group_id)).members.values(), personOf),
  ),
  get_group_member_info: action(group.extend(user.shape), async (actor, { group_id, user_id }) =>
    personOf(findMember(await enterGroup(actor, group_id), user_id)),
  ),
};

/** The standard demands a name. Frameworks leave out that of a picture. */
const optionalName = name
  .or(z.literal(""))
  .nullish()
  .transform((given) => given ?? "");

const upload = z.discriminatedUnion(
  "type",
  [
    z.object({ type: z.literal("data"), name: optionalName, data: longText, sha256 }),
    z.object({
      type: z.literal("url"),
      name: optionalName,
      url: z.url({ protocol: /^https?$/ }).refine((url) => url.length <= 8192),
      sha256,
    }),
  ],
  { error: "must be data or url: paths are not read" },
);

const stagedId = shortText(64);

const staging = z.discriminatedUnion("stage", [
  z.object({ stage: z.literal("prepare"), name, total_size: z.int().min(1).max(largest) }),
  z.object({ stage: z.literal("transfer"), file_id: stagedId, offset: z.int().min(0), data: longText }),
  z.object({ stage: z.literal("finish"), file_id: stagedId, sha256 }),
]);

async function uploadInPieces({ staged, holder }: Actor, given: z.output<typeof staging>): Promise<object | null> {
  if (given.stage === "prepare") return { file_id: staged.prepare(holder, given.name, given.total_size) };
  if (given.stage === "finish") {
    const { file_id, name: called } = await staged.finish(holder.userId, given.file_id, given.sha256);
    return { file_id: uploadIdOf(file_id, called) };
  }
  await staged.transfer(holder.userId, given.file_id, given.offset, readBase64(given.data));
  return null;
}

async function readRange({ file }: LocalFile, start: number, size: number): Promise<Buffer> {
  if (size > mostInFrame)
    throw new ActionError("bad_param", `At most ${mostInFrame} bytes in one action: take pieces.`);
  if (size === 0) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  for await (const chunk of await file.open({ start, end: start + size - 1 })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function hashOf({ file }: LocalFile): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of await file.open()) hash.update(chunk);
  return hash.digest("hex");
}

const getting = fileId.extend({ type: z.enum(["url", "data"], { error: "must be url or data: paths are not given" }) });

async function getFile(actor: Acting, { file_id, type }: z.output<typeof getting>): Promise<object> {
  const found = await findFile(actor, file_id);
  return type === "url" ? urlOf(found) : await dataOf(found);
}

function urlOf({ file, url }: LocalFile): object {
  if (url !== null) return { name: file.name, url };
  throw new ActionError("file", "The file is in no message, so it has no address. Ask for its data.");
}

async function dataOf(found: LocalFile): Promise<object> {
  const { name: called, size } = found.file;
  const bytes = await readRange(found, 0, size);
  return { name: called, data: bytes.toString("base64"), sha256: createHash("sha256").update(bytes).digest("hex") };
}

const getStage = z.discriminatedUnion("stage", [
  fileId.extend({ stage: z.literal("prepare") }),
  fileId.extend({ stage: z.literal("transfer"), offset: z.int().min(0), size: z.int().min(1) }),
]);

async function getInPieces(actor: Acting, given: z.output<typeof getStage>): Promise<object> {
  const found = await findFile(actor, given.file_id);
  const { name: called, size } = found.file;
  if (given.stage === "prepare") return { name: called, total_size: size, sha256: await hashOf(found) };
  if (given.offset + given.size > size) throw new ActionError("bad_param", `offset: the file has ${size} bytes.`);
  return { data: (await readRange(found, given.offset, given.size)).toString("base64") };
}

const files: Readonly<Record<string, Run>> = {
  upload_file: action(upload, async (actor, given) => {
    const md5 =
      given.type === "data" ? uploadBytes(actor, given.name, given.data) : uploadFrom(actor, given.name, given.url);
    return { file_id: uploadIdOf(await md5, given.name) };
  }),
  upload_file_fragmented: action(staging, uploadInPieces),
  get_file: action(getting, getFile),
  get_file_fragmented: action(getStage, getInPieces),
};

const meta: Readonly<Record<string, Run>> = {
  get_status: async (actor) => statusOf(actor),
  get_version: async ({ appVersion }) => versionInfo12(appVersion),
  get_supported_actions: async () => [...actions12.keys()],
};

/** The actions of OneBot 12: those for messages, people, groups and files. */
export const actions12: ReadonlyMap<string, Run> = new Map(
  Object.entries({ ...messages, ...people, ...files, ...meta }),
);
