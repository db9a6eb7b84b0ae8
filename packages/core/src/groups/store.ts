import type { GroupType } from "../contract/group-type.ts";
import type { GroupRecord, MemberRecord } from "../records/groups.ts";

/** Changes of a room. Fields that are left out do not change. */
export type GroupChange = Partial<Pick<GroupRecord, "name" | "avatar">>;

/** Chat rooms. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. */
export interface GroupStore {
  /** Adds a room with its members and assigns the id; reports a change of `members`. */
  appendGroup(group: Omit<GroupRecord, "groupId">, members: readonly number[]): Promise<GroupRecord>;

  /**
   * The room that {@link GroupStore.findGroupByExt} finds for this group of the external network; if there is none, adds this one without
   * members, assigns the id and reports a change of `members`. Of N simultaneous callers one adds it, and all get the same.
   */
  appendGroupOnce(group: Omit<GroupRecord, "groupId"> & { readonly ext: string }): Promise<GroupRecord>;

  /** The room, or null. */
  findGroup(groupId: number): Promise<GroupRecord | null>;

  /**
   * The room that stands for a group of the external network with this bot (null: the official one), or null. If there are
   * several, it MUST be the one with the lowest id: it stays the same when another one is added.
   */
  findGroupByExt(key: {
    readonly ext: string;
    readonly groupType: GroupType;
    readonly bot: string | null;
  }): Promise<GroupRecord | null>;

  /** Changes the given fields, and reports a change of `members`. Returns the room, or null if there is none. */
  amendGroup(groupId: number, change: GroupChange): Promise<GroupRecord | null>;

  /**
   * Deletes a room with its members, and reports a change of `members`. False if the room does not exist. Its messages
   * stay. The id MUST NOT be assigned again.
   */
  dropGroup(groupId: number): Promise<boolean>;

  /** Rooms with an id above `after`, by id, at most `limit`. */
  listGroups(page: { readonly after: number; readonly limit: number }): Promise<readonly GroupRecord[]>;

  /** The ids of the rooms in which the user is a member, in order. */
  listGroupsOf(userId: number): Promise<readonly number[]>;

  /** The members, by user id. */
  listMembers(groupId: number): Promise<readonly MemberRecord[]>;

  /** Adds and removes members, all or nothing; reports a change of `members`. A user who is already a member keeps the card. */
  amendMembers(
    groupId: number,
    change: { readonly add: readonly number[]; readonly remove: readonly number[] },
  ): Promise<"amended" | "missing">;

  /** Sets a member's card; reports a change of `members`. */
  amendCard(groupId: number, userId: number, card: string | null): Promise<"amended" | "missing">;
}
