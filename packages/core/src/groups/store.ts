import type { GroupRecord, MemberRecord, NewGroup, Room } from "../records/groups.ts";

/** Changes of a room. Fields that are left out do not change. */
export type GroupChange = Partial<Pick<GroupRecord, "name" | "avatar">>;

/** The key of a room of an external network: the ID of the group or person, and the bot (null: the official one). */
export interface GroupKey extends Pick<GroupRecord, "groupType" | "bot"> {
  readonly ext: string;
}

/** A room of an external network that is to be added. */
export type NewNetworkGroup = NewGroup & GroupKey;

/** The room that stands for a group of an external network, and whether the call has added it. */
export interface AppendedOnce {
  readonly outcome: "appended" | "known";
  readonly group: GroupRecord;
}

/** A change of a room as it was found. */
export interface RoomChange {
  readonly groupId: number;
  /** The `rev` of the room that was found. */
  readonly rev: number;
  /** Fields that are left out do not change. */
  readonly change: Partial<Pick<GroupRecord, "name" | "topic" | "avatar" | "archived" | "pins">>;
  /** Members to add or to change. */
  readonly put: readonly MemberRecord[];
  /** The ids of members to remove. */
  readonly drop: readonly number[];
}

/** The result of {@link GroupStore.amendRoom}. `changed`: the room has another `rev`. `dropped`: the room has no members left, and is removed. */
export type RoomAmended =
  | { readonly outcome: "amended"; readonly group: GroupRecord }
  | { readonly outcome: "changed" | "missing" | "dropped" };

/** Chat rooms. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. */
export interface GroupStore {
  /** Adds a room with its members and assigns the id; reports a change of `members`. */
  appendGroup(group: NewGroup, members: readonly number[]): Promise<GroupRecord>;

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

  /**
   * Adds a room with these members, unless a room has its `uniqueKey`. Of N simultaneous callers with one key, one adds a room, and all get the
   * same. Reports a change of `members`.
   */
  appendRoom(group: NewGroup, members: readonly MemberRecord[]): Promise<AppendedOnce>;

  /** The room and its members, read at one moment; null if the room does not exist. */
  findRoom(groupId: number): Promise<Room | null>;

  /**
   * Changes a room and its members, all or nothing, if its `rev` is still the given one, and raises the `rev`. A room without members is
   * removed as {@link GroupStore.dropGroup} does. Reports a change of `members`. Of N callers who have found the same room, one changes it.
   */
  amendRoom(change: RoomChange): Promise<RoomAmended>;

  /** The room, or null. */
  findGroup(groupId: number): Promise<GroupRecord | null>;

  /**
   * The room that stands for a group of the external network with this bot (null: the official one), or null. If there are
   * several, it MUST be the one with the lowest id: it stays the same when another one is added.
   */
  findGroupByExt(key: GroupKey): Promise<GroupRecord | null>;

  /** Changes the given fields, raises the `rev`, and reports a change of `members`. Returns the room, or null if it does not exist. */
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

  /** Those of the rooms of a user that are archived, or that the user has put away, in order. */
  listArchivedOf(userId: number): Promise<readonly number[]>;

  /** The members, by user id. */
  listMembers(groupId: number): Promise<readonly MemberRecord[]>;

  /**
   * Adds and removes members, all or nothing; raises the `rev`, and reports a change of `members`. A user who is already a member stays as they
   * are.
   * @param change `at`: when those who are added have joined, in Unix milliseconds; default: 0
   */
  amendMembers(
    groupId: number,
    change: { readonly add: readonly number[]; readonly remove: readonly number[]; readonly at?: number },
  ): Promise<"amended" | "missing">;

  /** Sets a member's card; raises the `rev`, and reports a change of `members`. */
  amendCard(groupId: number, userId: number, card: string | null): Promise<"amended" | "missing">;
}
