import { shortText } from "@telex/core/contract";
import { z } from "zod";
import { longText, filledText } from "../../wire/fields.ts";
import type { Segment } from "../../wire/frames.ts";
import { action, type Run } from "../actions/action.ts";
import { enterGroup, findPrivate, recall, send } from "../actions/send.ts";
import type { Acting } from "../context.ts";
import { findFile, uploadBytes, uploadFrom, uploadIdOf } from "../files.ts";
import { saidOf } from "../happenings.ts";
import { findMember, findPerson, findSelf, listFriends, listGroups } from "../rooms/people.ts";
import { ActionError, readParams } from "../results.ts";
import type { BookedRoom } from "../rooms/room-book.ts";
import { status } from "./events.ts";
import { count11, id11, optionalId11, segments11 } from "./fields.ts";
import { groupOf, memberOf, messageOf, personOf } from "./views.ts";
import { versionInfo11 } from "../version.ts";

const nothing = z.unknown();
const group = z.object({ group_id: id11 });
const user = z.object({ user_id: id11 });
const message = z.object({ message_id: id11 });
const file = z.object({ file: longText.optional(), file_id: longText.optional() });
const upload = z.object({ file: filledText, name: shortText(512, 1) });

async function sendTo(actor: Acting, room: BookedRoom, segments: readonly Segment[]): Promise<object> {
  return { message_id: (await send(actor, room, segments)).messageId };
}

const toGroup = async (actor: Acting, groupId: number, segments: readonly Segment[]): Promise<object> =>
  sendTo(actor, await enterGroup(actor, groupId), segments);
const toUser = async (actor: Acting, userId: number, segments: readonly Segment[]): Promise<object> =>
  sendTo(actor, await findPrivate(actor, userId), segments);

const target = z.object({
  message_type: z.enum(["group", "private"]).nullish(),
  group_id: optionalId11,
  user_id: optionalId11,
});

function sendAnywhere(actor: Acting, [to, segments]: [z.output<typeof target>, readonly Segment[]]): Promise<object> {
  const { message_type: type, group_id: groupId, user_id: userId } = to;
  if (typeof groupId === "number" && type !== "private") return toGroup(actor, groupId, segments);
  if (typeof userId === "number" && type !== "group") return toUser(actor, userId, segments);
  throw new ActionError("bad_param", "group_id or user_id: one of them is needed.");
}

/** Two schemas that both read the parameters. */
const both = <A extends z.ZodType, B extends z.ZodType>(first: A, second: B) =>
  z.unknown().transform((given, context): [z.output<A>, z.output<B>] => {
    const [a, b] = [first.safeParse(given), second.safeParse(given)];
    for (const { error } of [a, b])
      for (const { message: problem, path } of error?.issues ?? []) {
        context.addIssue({ code: "custom", message: problem, path });
      }
    return a.success && b.success ? [a.data, b.data] : z.NEVER;
  });

const fileSegment = ({ file: source, name }: z.output<typeof upload>): Segment => ({
  type: "file",
  data: { file: source, name },
});

/** The framework's answer to an event: a reply. Further fields for groups of other networks are ignored. */
const quickOperation = z.object({
  context: target,
  operation: z.object({
    reply: z.unknown(),
    auto_escape: z.boolean().optional(),
    at_sender: z.boolean().optional(),
  }),
});

async function quickly(actor: Acting, { context, operation }: z.output<typeof quickOperation>): Promise<null> {
  const { reply, auto_escape, at_sender = true } = operation;
  if (reply === undefined || reply === null || reply === "") return null;
  const said = readParams(segments11, { message: reply, ...(auto_escape !== undefined && { auto_escape }) });
  const isGroup = typeof context.group_id === "number";
  const isMention = isGroup && at_sender && typeof context.user_id === "number";
  const mention: Segment = { type: "at", data: { qq: context.user_id } };
  await sendAnywhere(actor, [context, isMention ? [mention, { type: "text", data: { text: " " } }, ...said] : said]);
  return null;
}

const historyPage = z.object({
  message_seq: optionalId11,
  count: count11.default(20),
});

/** The messages up to one of them, the newest last; without one the newest. */
async function historyOf(
  actor: Acting,
  room: BookedRoom,
  { message_seq, count }: z.output<typeof historyPage>,
): Promise<object> {
  const { groupId, groupType } = room;
  const cursor = typeof message_seq === "number" ? { cursor: message_seq + 1 } : {};
  const page = await actor.telex.messages.history(actor.holder, { groupId, groupType, pageSize: count, ...cursor });
  const all = page.groupMessages.toReversed();
  return { messages: await Promise.all(all.map(async (view) => messageOf(await saidOf(actor, room, view)))) };
}

/** The file that a framework lets Telex download: an address, or bytes as base64 or as a `data:` address. */
const download = z.object({
  url: longText.optional(),
  base64: longText.optional(),
  name: shortText(512).default(""),
});

/** Stores it as an upload of the account. Where other implementations answer a path, the answer is its ID. */
async function downloadFile(actor: Acting, { url = "", base64, name }: z.output<typeof download>): Promise<object> {
  const data = base64 ?? /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1];
  if (data !== undefined) return { file: uploadIdOf(await uploadBytes(actor, name, data), name) };
  if (!/^https?:\/\//.test(url))
    throw new ActionError("bad_param", "url: an address with http:// or https:// is needed.");
  return { file: uploadIdOf(await uploadFrom(actor, name, url), name) };
}

async function fileInfo(actor: Acting, given: z.output<typeof file>): Promise<object> {
  const id = given.file_id ?? given.file ?? "";
  const { file: found, url } = await findFile(actor, id);
  return { file: id, url, file_size: String(found.size), file_name: found.name };
}

const messages: Readonly<Record<string, Run>> = {
  send_group_msg: action(both(group, segments11), (actor, [to, said]) => toGroup(actor, to.group_id, said)),
  send_private_msg: action(both(user, segments11), (actor, [to, said]) => toUser(actor, to.user_id, said)),
  send_msg: action(both(target, segments11), sendAnywhere),
  delete_msg: action(message, (actor, { message_id }) => recall(actor, message_id)),
  get_msg: action(message, async (actor, { message_id }) => {
    const { room, view } = await actor.places.find(actor.holder, message_id);
    return messageOf(await saidOf(actor, room, view));
  }),
  get_group_msg_history: action(both(group, historyPage), async (actor, [{ group_id }, page]) =>
    historyOf(actor, await enterGroup(actor, group_id), page),
  ),
  get_friend_msg_history: action(both(user, historyPage), async (actor, [{ user_id }, page]) =>
    historyOf(actor, await findPrivate(actor, user_id), page),
  ),
  ".handle_quick_operation": action(quickOperation, quickly),
};

const people: Readonly<Record<string, Run>> = {
  get_login_info: action(nothing, async (actor) => {
    const { userId, nickname } = await findSelf(actor);
    return { user_id: userId, nickname };
  }),
  get_stranger_info: action(user, async (actor, { user_id }) => personOf(await findPerson(actor, user_id))),
  get_friend_list: action(nothing, async (actor) =>
    (await listFriends(actor)).map((friend) => ({ ...personOf(friend), remark: "" })),
  ),
  get_group_list: action(nothing, async (actor) => (await listGroups(actor)).map(groupOf)),
  get_group_info: action(group, async (actor, { group_id }) => groupOf(await enterGroup(actor, group_id))),
  get_group_member_list: action(group, async (actor, { group_id }) => {
    const room = await enterGroup(actor, group_id);
    return Array.from(room.members.values(), (member) => memberOf(room, member));
  }),
  get_group_member_info: action(group.extend(user.shape), async (actor, { group_id, user_id }) => {
    const room = await enterGroup(actor, group_id);
    return memberOf(room, findMember(room, user_id));
  }),
};

const files: Readonly<Record<string, Run>> = {
  get_image: action(file, fileInfo),
  get_file: action(file, fileInfo),
  get_group_file_url: action(group.extend({ file_id: shortText(2500) }), async (actor, { group_id, file_id }) => {
    await enterGroup(actor, group_id);
    return { url: (await findFile(actor, file_id)).url };
  }),
  download_file: action(download, downloadFile),
  upload_group_file: action(both(group, upload), async (actor, [{ group_id }, given]) => {
    await toGroup(actor, group_id, [fileSegment(given)]);
    return null;
  }),
  upload_private_file: action(both(user, upload), async (actor, [{ user_id }, given]) => {
    await toUser(actor, user_id, [fileSegment(given)]);
    return null;
  }),
};

const meta: Readonly<Record<string, Run>> = {
  can_send_image: async () => ({ yes: true }),
  can_send_record: async () => ({ yes: false }),
  get_status: async () => status,
  get_version_info: async ({ appVersion }) => versionInfo11(appVersion),
};

/** The actions of OneBot 11, and those of its extensions that frameworks use for files and histories. */
export const actions11: ReadonlyMap<string, Run> = new Map(
  Object.entries({ ...messages, ...people, ...files, ...meta }),
);
