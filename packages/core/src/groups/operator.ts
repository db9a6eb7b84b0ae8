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
  createdAt: zone.format(group.createdAt),
});

type MemberList = z.output<GroupsContract["members"]["output"]>;

/** What the operator does with chat rooms. */
export function createGroupsOperator(deps: GroupsDependencies): Implementation<GroupsContract> {
  const { store, zone, clock } = deps;
  const assertUsers = async (userIds: readonly number[]): Promise<void> => {
    for (const userId of userIds) if ((await deps.findUser(userId)) === null) throw new TelexError("user_not_found");
  };
  const membersOf = async (groupId: number): Promise<MemberList> => {
    const list: MemberList = [];
    for (const { userId, card } of await store.listMembers(groupId)) {
      list.push({ userId, card, nickname: (await deps.findUser(userId))?.nickname ?? "" });
    }
    return list;
  };
  return {
    async add(_operator, { groupType, name, members, ext = null, bot = null }) {
      await assertUsers(members);
      const group = await store.appendGroup({ groupType, name, ext, bot, createdAt: clock.now() }, [
        ...new Set(members),
      ]);
      deps.changed(group.groupId);
      return view(group, zone);
    },
    async list(_operator, { after = 0, limit }) {
      return (await store.listGroups({ after, limit })).map((group) => view(group, zone));
    },
    async members(_operator, { groupId, add, remove }) {
      await assertUsers(add);
      if ((await store.amendMembers(groupId, { add, remove })) === "missing") throw new TelexError("group_not_found");
      if (add.length + remove.length > 0) deps.changed(groupId);
      return membersOf(groupId);
    },
    async card(_operator, { groupId, userId, card }) {
      if ((await store.findGroup(groupId)) === null) throw new TelexError("group_not_found");
      if ((await store.amendCard(groupId, userId, card)) === "missing") throw new TelexError("not_member");
      deps.changed(groupId);
      return membersOf(groupId);
    },
    async rename(_operator, { groupId, name }) {
      const group = await store.renameGroup(groupId, name);
      if (group === null) throw new TelexError("group_not_found");
      deps.changed(groupId);
      return view(group, zone);
    },
    async remove(_operator, { groupId }) {
      if (!(await store.dropGroup(groupId))) throw new TelexError("group_not_found");
      deps.changed(groupId);
      return null;
    },
  };
}
