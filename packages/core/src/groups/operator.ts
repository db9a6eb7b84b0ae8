import type { z } from "zod";
import type { Implementation } from "../contract/operation.ts";
import { TelexError } from "../errors/errors.ts";
import type { Clock } from "../time/clock.ts";
import type { Zone } from "../time/zone.ts";
import type { GroupsContract, GroupView } from "./contract.ts";
import type { GroupRecord, GroupStore } from "./store.ts";

/** What the operator's side of chat rooms needs. */
export interface GroupsDependencies {
  readonly store: GroupStore;
  readonly findUser: (userId: number) => Promise<{ readonly nickname: string } | null>;
  /** Keeps a stored image from being swept; false when there is no such image. */
  readonly keepImage: (md5: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly zone: Zone;
  /** Makes a change of a room or its members visible in this process immediately. */
  readonly changed: (groupId: number) => void;
}

const view = (group: GroupRecord, zone: Zone): GroupView => ({
  groupId: group.groupId,
  groupType: group.groupType,
  name: group.name,
  ext: group.ext,
  bot: group.bot,
  avatar: group.avatar,
  createdAt: zone.format(group.createdAt),
});

type MemberList = z.output<GroupsContract["members"]["output"]>;

async function assertUsers({ findUser }: GroupsDependencies, userIds: readonly number[]): Promise<void> {
  for (const userId of userIds) if ((await findUser(userId)) === null) throw new TelexError("user_not_found");
}

async function membersOf({ store, findUser }: GroupsDependencies, groupId: number): Promise<MemberList> {
  const list: MemberList = [];
  for (const { userId, card } of await store.listMembers(groupId)) {
    list.push({ userId, card, nickname: (await findUser(userId))?.nickname ?? "" });
  }
  return list;
}

type Verbs<Name extends keyof GroupsContract> = Pick<Implementation<GroupsContract>, Name>;

const createMemberVerbs = (deps: GroupsDependencies): Verbs<"members" | "card"> => ({
  async members(_operator, { groupId, add, remove }) {
    await assertUsers(deps, add);
    const amended = await deps.store.amendMembers(groupId, { add, remove });
    if (amended === "missing") throw new TelexError("group_not_found");
    if (add.length + remove.length > 0) deps.changed(groupId);
    return membersOf(deps, groupId);
  },
  async card(_operator, { groupId, userId, card }) {
    if ((await deps.store.findGroup(groupId)) === null) throw new TelexError("group_not_found");
    if ((await deps.store.amendCard(groupId, userId, card)) === "missing") throw new TelexError("not_member");
    deps.changed(groupId);
    return membersOf(deps, groupId);
  },
});

const createRoomVerbs = (deps: GroupsDependencies): Verbs<"add" | "list" | "amend" | "remove"> => ({
  async add(_operator, { members, ext = null, bot = null, ...input }) {
    await assertUsers(deps, members);
    const group = { ...input, ext, bot, avatar: null, createdAt: deps.clock.now() };
    const added = await deps.store.appendGroup(group, [...new Set(members)]);
    deps.changed(added.groupId);
    return view(added, deps.zone);
  },
  async list(_operator, { after = 0, limit }) {
    return (await deps.store.listGroups({ after, limit })).map((group) => view(group, deps.zone));
  },
  async amend(_operator, { groupId, name, avatar }) {
    if (typeof avatar === "string" && !(await deps.keepImage(avatar))) throw new TelexError("file_not_found");
    const change = { ...(name !== undefined && { name }), ...(avatar !== undefined && { avatar }) };
    const group = await deps.store.amendGroup(groupId, change);
    if (group === null) throw new TelexError("group_not_found");
    deps.changed(groupId);
    return view(group, deps.zone);
  },
  async remove(_operator, { groupId }) {
    if (!(await deps.store.dropGroup(groupId))) throw new TelexError("group_not_found");
    deps.changed(groupId);
    return null;
  },
});

/** What the operator does with chat rooms. */
export const createGroupsOperator = (deps: GroupsDependencies): Implementation<GroupsContract> => ({
  ...createRoomVerbs(deps),
  ...createMemberVerbs(deps),
});
