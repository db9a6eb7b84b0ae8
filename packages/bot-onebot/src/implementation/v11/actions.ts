import { z } from "zod";
import type { Segment } from "../../wire/frames.ts";
import { action, type Run } from "../actions/action.ts";
import { enterGroup, findPrivate, recall } from "../actions/send.ts";
import type { Acting } from "../context.ts";
import { saidOf } from "../happenings.ts";
import { findMember, findPerson, findSelf, listFriends, listGroups } from "../rooms/people.ts";
import { ActionError, readParams } from "../results.ts";
import type { BookedRoom } from "../rooms/room-book.ts";
import { status } from "./events.ts";
import { count11, id11, optionalId11, segments11 } from "./fields.ts";
import { groupOf, memberOf, messageOf, personOf } from "./views.ts";
import { versionInfo11 } from "../version.ts";
import { group, user, toGroup, toUser, both, files } from "./file-actions.ts";

const nothing = z.unknown();

const message = z.object({ message_id: id11 });

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
  const segments = readParams(segments11, { message: reply, ...(auto_escape !== undefined && { auto_escape }) });
  const isGroup = typeof context.group_id === "number";
  const isMention = isGroup && at_sender && typeof context.user_id === "number";
  const mention: Segment = { type: "at", data: { qq: context.user_id } };
  await sendAnywhere(actor, [
    context,
    isMention ? [mention, { type: "text", data: { text: " " } }, ...segments] : segments,
  ]);
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

const messages: Readonly<Record<string, Run>> = {
  send_group_msg: action(both(group, segments11), (actor, [to, said]) => toGroup(actor, to.group_id, said)),
  send_private_msg: action(both(user, segments11), (actor, [to, said]) => toUser(actor, to.user_id, said)),
  send_msg: action(both(target, segments11), sendAnywhere),
  delete_msg: action(message, (actor, { message_id }) => recall(actor, message_id)),
  get_msg: action(message, async (actor, { message_id }) => {
    const { room, view } = await actor.messageRooms.find(actor.holder, message_id);
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
