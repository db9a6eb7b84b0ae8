import type { z } from "zod";
import { routeOf, type TokenHolder, type Implementation } from "@telex/ground/contract";
import { TelexError } from "@telex/ground/errors";
import type { Clock, Zone } from "@telex/ground/time";
import type { IncomingFile } from "@telex/files/blobs";
import { changeFoundRoom } from "./change-room.ts";
import type { GroupsContract, GroupView } from "./contract.ts";
import { assertHasRoles, membersChange, type MembersInput } from "./roles.ts";
import type { GroupStore, GroupKey } from "./store.ts";
import { type GroupRecord, type MemberRecord, type NewGroup, newMember, type Room } from "../records/groups.ts";

interface GroupsDeps {
  readonly store: GroupStore;
  readonly findUser: (userId: number) => Promise<{ readonly nickname: string; readonly ext: string | null } | null>;
  /**
   * Keeps a stored image from being swept; false when there is no such image.
   * @throws TelexError `unreadable_image` if it cannot be decoded, `busy`
   */
  readonly keepImage: (md5: string) => Promise<boolean>;
  readonly clock: Clock;
  readonly zone: Zone;
  /** Finds the other keys that mean the same group of a network, and the same account. */
  readonly findOtherKeys: (key: GroupKey) => Promise<readonly GroupKey[]>;
  /** Call it when a room has changed. Resolves when this server sends its messages to its current members only. */
  readonly changed: (groupId: number) => Promise<void>;
  /**
   * Posts a notice in a room that an admin joins it, and logs that.
   * @throws TelexError `group_not_found`, `user_not_found`
   */
  readonly announce: (groupId: number, userId: number) => Promise<void>;
  /** Posts a notice in a room that an admin gives these users another role. */
  readonly announceRoles: (groupId: number, userId: number, userIds: readonly number[]) => Promise<void>;
  readonly storeForRoom: (groupId: number, file: IncomingFile) => Promise<string>;
  readonly assertCurrent: (holder: TokenHolder) => void;
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

async function assertUsers({ findUser }: GroupsDeps, userIds: readonly number[]): Promise<void> {
  for (const userId of userIds) if ((await findUser(userId)) === null) throw new TelexError("user_not_found");
}

async function assertGroup({ store }: GroupsDeps, groupId: number): Promise<void> {
  if ((await store.findGroup(groupId)) === null) throw new TelexError("group_not_found");
}

async function membersOf({ store, findUser }: GroupsDeps, groupId: number): Promise<MemberList> {
  const list: MemberList = [];
  for (const { userId, card, role } of await store.listMembers(groupId)) {
    const user = await findUser(userId);
    list.push({ userId, card, role, nickname: user?.nickname ?? "", ext: user?.ext ?? null });
  }
  return list;
}

type Verbs<Name extends keyof GroupsContract> = Pick<Implementation<GroupsContract>, Name>;

async function announce({ store, ...deps }: GroupsDeps, { userId }: TokenHolder, groupId: number) {
  const members = await store.listMembers(groupId);
  if (!members.some((member) => member.userId === userId)) await deps.announce(groupId, userId);
}

async function join(deps: GroupsDeps, { userId }: TokenHolder, groupId: number): Promise<void> {
  await deps.announce(groupId, userId);
  await deps.store.amendMembers(groupId, { add: [userId], remove: [], at: deps.clock.now() });
  await deps.changed(groupId);
}

/** Changes members and their roles. Returns the members who had other roles. */
async function changeMembers(deps: GroupsDeps, groupId: number, input: MembersInput): Promise<readonly number[]> {
  const { store, clock } = deps;
  const { add, remove, roles } = input;
  let changed: readonly number[] = [];
  const give = (room: Room) => {
    const change = membersChange(room, input, clock.now());
    changed = (change?.put ?? []).map(({ userId }) => userId);
    return change;
  };
  const outcome =
    roles.length > 0
      ? await changeFoundRoom(store, groupId, give)
      : await store.amendMembers(groupId, { add, remove, at: clock.now() });
  if (outcome === "missing") throw new TelexError("group_not_found");
  await deps.changed(groupId);
  return changed.filter((userId) => roles.some((role) => role.userId === userId));
}

const createMemberVerbs = (deps: GroupsDeps): Verbs<"members" | "amendMembers" | "card"> => ({
  async members(_operator, { groupId }) {
    await assertGroup(deps, groupId);
    return membersOf(deps, groupId);
  },
  async amendMembers(caller, { groupId, ...input }) {
    const { add } = input;
    await assertUsers(deps, add);
    // Before the change: an admin must not be able to join and then fail to tell.
    if (caller.kind === "token" && add.includes(caller.userId)) await announce(deps, caller, groupId);
    const changed = await changeMembers(deps, groupId, input);
    if (caller.kind === "token" && changed.length > 0) await deps.announceRoles(groupId, caller.userId, changed);
    return membersOf(deps, groupId);
  },
  async card(_operator, { groupId, userId, card }) {
    await assertGroup(deps, groupId);
    if ((await deps.store.amendCard(groupId, userId, card)) === "missing") throw new TelexError("not_member");
    await deps.changed(groupId);
    return membersOf(deps, groupId);
  },
});

async function amend(
  { store, changed, zone }: GroupsDeps,
  groupId: number,
  change: Parameters<GroupStore["amendGroup"]>[1],
): Promise<GroupView> {
  const group = await store.amendGroup(groupId, change);
  if (group === null) throw new TelexError("group_not_found");
  await changed(groupId);
  return view(group, zone);
}

/** @throws TelexError `group_taken` */
async function append(
  { store, findOtherKeys }: GroupsDeps,
  group: NewGroup,
  members: readonly number[],
): Promise<GroupRecord> {
  const { ext, groupType, bot } = group;
  // A room of a private bot without a bot is never connected.
  const isOfNetwork = routeOf(groupType) === "official" || (routeOf(groupType) === "private" && bot !== null);
  if (ext === null || !isOfNetwork) return store.appendGroup(group, members);
  const others = await findOtherKeys({ ext, groupType, bot });
  const added = await store.appendGroupOnce({ ...group, ext }, members, others);
  if (added.outcome === "known") throw new TelexError("group_taken", { params: { groupId: added.group.groupId } });
  return added.group;
}

const ownedBy = (owner: number, members: readonly number[]): MemberRecord[] => [
  { ...newMember(owner, 0), role: "owner" },
  ...[...new Set(members)].filter((userId) => userId !== owner).map((userId) => newMember(userId, 0)),
];

const createRoomVerbs = (deps: GroupsDeps): Verbs<"add" | "list" | "amend" | "putAvatar" | "remove"> => ({
  async add(caller, { members, owner, ext = null, bot = null, ...input }) {
    await assertUsers(deps, owner === undefined ? members : [...members, owner]);
    if (owner !== undefined) assertHasRoles(input.groupType);
    const group = { ...input, ext, bot, avatar: null, createdAt: deps.clock.now() };
    // A group of a network may have had another room, whose members must see who has come.
    const joins = caller.kind === "token" && routeOf(input.groupType) !== "store" && members.includes(caller.userId);
    const others = joins ? members.filter((userId) => userId !== caller.userId) : members;
    const added =
      owner === undefined
        ? await append(deps, group, [...new Set(others)])
        : (await deps.store.appendRoom(group, ownedBy(owner, members))).group;
    await deps.changed(added.groupId);
    if (joins) await join(deps, caller, added.groupId);
    return view(added, deps.zone);
  },
  async list(_operator, { after = 0, limit }) {
    return (await deps.store.listGroups({ after, limit })).map((group) => view(group, deps.zone));
  },
  async amend(_operator, { groupId, name, avatar }) {
    if (typeof avatar === "string") {
      // First: a refused call must keep no file, because it is not in the log.
      await assertGroup(deps, groupId);
      if (!(await deps.keepImage(avatar))) throw new TelexError("file_not_found");
    }
    const change = { ...(name !== undefined && { name }), ...(avatar !== undefined && { avatar }) };
    return amend(deps, groupId, change);
  },
  async putAvatar(caller, { groupId, file }) {
    await assertGroup(deps, groupId);
    const avatar = await deps.storeForRoom(groupId, file);
    // The bytes may have taken long to arrive.
    if (caller.kind === "token") deps.assertCurrent(caller);
    if (!(await deps.keepImage(avatar))) throw new TelexError("unreadable_image");
    return amend(deps, groupId, { avatar });
  },
  async remove(_operator, { groupId }) {
    if (!(await deps.store.dropGroup(groupId))) throw new TelexError("group_not_found");
    await deps.changed(groupId);
    return null;
  },
});

export const createGroupsOperator = (deps: GroupsDeps): Implementation<GroupsContract> => ({
  ...createRoomVerbs(deps),
  ...createMemberVerbs(deps),
});
