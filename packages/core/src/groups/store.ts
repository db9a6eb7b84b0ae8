import type { GroupRecord, MemberRecord } from "../records/groups.ts";

/** Changes of a room. Fields that are left out do not change. */
export type GroupChange = Partial<Pick<GroupRecord, "name" | "avatar">>;

/** The key of a room of an external network: the ID of the group or person, and the bot (null: the official one). */
export interface GroupKey extends Pick<GroupRecord, "groupType" | "bot"> {
  readonly ext: string;
}

/** A room of an external network that is to be added. */
export type NewNetworkGroup = Omit<GroupRecord, "groupId"> & GroupKey;

/** The room that stands for a group of an external network, and whether the call has added it. */
export interface AppendedOnce {
  readonly outcome: "appended" | "known";
  readonly group: GroupRecord;
}

/** Chat rooms. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. */
export interface GroupStore {
  /** Adds a room with its members and assigns the id; reports a change of `members`. */
  appendGroup(group: Omit<GroupRecord, "groupId">, members: readonly number[]): Promise<GroupRecord>;

  /**
   * Adds a room like {@link GroupStore.appendGroup}, unless {@link GroupStore.findGroupByExt} finds one under its own key or one of
   * `others`. In that case nothing changes, and the result is the room that is found, with the lowest id if there are several. Of N
   * simultaneous callers, also with keys in other orders, one adds a room, and all get the same.
   * @param others further keys that mean the same group and account of the network
   */
  appendGroupOnce(
    group: NewNetworkGroup,
    members: readonly number[],
    others: readonly GroupKey[],
  ): Promise<AppendedOnce>;

  /** The room, or null. */
  findGroup(groupId: number): Promise<GroupRecord | null>;

  /**
   * The room that stands for a group of the external network with this bot (null: the official one), or null. If there are
   * several, it MUST be the one with the lowest id: it stays the same when another one is added.
   */
  findGroupByExt(key: GroupKey): Promise<GroupRecord | null>;

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
