import { type GroupRecord, type GroupStore, newGroup, newMember } from "@telex/core/storage";
import { now } from "../support/fixtures.ts";

export const group = (different: Partial<GroupRecord> = {}): Omit<GroupRecord, "groupId"> => ({
  ...newGroup({ groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: now }),
  ...different,
});

/** A room of a group of the external network. */
export const linked = (different: Partial<GroupRecord> = {}) =>
  group({ groupType: 4, ext: "500", bot: "bot-1", ...different });

export const ofNetwork = (different: Partial<GroupRecord> = {}) => ({ ...linked(different), ext: "500" });

/** A room that means the same group of the network as {@link ofNetwork} if "bot-1" is the official account. */
export const ofOfficial = () => ofNetwork({ groupType: 0, bot: null });

export const without = (...userIds: number[]) => userIds.map((userId) => newMember(userId, 0));

/** The id of a room that had two members and was removed. */
export async function dropped(store: GroupStore): Promise<number> {
  const { groupId } = await store.appendGroup(group(), [7, 8]);
  await store.dropGroup(groupId);
  return groupId;
}
