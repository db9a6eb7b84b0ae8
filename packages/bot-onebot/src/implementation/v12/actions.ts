import { z } from "zod";
import { content12 } from "../../wire/v12-events.ts";
import { action, type Run } from "../actions/action.ts";
import { enterGroup, findPrivate, recall, send } from "../actions/send.ts";
import { findMember, findPerson, findSelf, listFriends, listGroups } from "../rooms/people.ts";
import { groupOf, personOf, statusOf } from "./views.ts";
import { versionInfo12 } from "../version.ts";
import { files } from "./file-actions.ts";

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

const sending = z.discriminatedUnion("detail_type", [
  z.object({ detail_type: z.literal("group"), group_id: id12, message: content12 }),
  z.object({ detail_type: z.literal("private"), user_id: id12, message: content12 }),
]);

const messages: Readonly<Record<string, Run>> = {
  send_message: action(sending, async (actor, input) => {
    const room =
      input.detail_type === "group" ? await enterGroup(actor, input.group_id) : await findPrivate(actor, input.user_id);
    const { messageId, createTime } = await send(actor, room, input.message);
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

const meta: Readonly<Record<string, Run>> = {
  get_status: async (actor) => statusOf(actor),
  get_version: async ({ appVersion }) => versionInfo12(appVersion),
  get_supported_actions: async () => [...actions12.keys()],
};

/** The actions of OneBot 12: those for messages, people, groups and files. */
export const actions12: ReadonlyMap<string, Run> = new Map(
  Object.entries({ ...messages, ...people, ...files, ...meta }),
);
