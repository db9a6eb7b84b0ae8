import type { GroupRecord, MemberRecord } from "@telex/core/storage";
import type { Numbered } from "../engine/numbered.ts";

export interface Room {
  group: GroupRecord;
  readonly members: Map<number, MemberRecord>;
}

export const extKey = ({ ext, groupType, bot }: Pick<GroupRecord, "ext" | "groupType" | "bot">): string =>
  JSON.stringify([ext, groupType, bot]);

/** All rooms, by their ids, by their external groups, and by their members. */
export interface Rooms extends Numbered<Room>, Memberships, Pick<FirstRooms, "byExt"> {
  readonly byKey: (uniqueKey: string) => Room | undefined;
  readonly putGroup: (group: GroupRecord) => Room;
  readonly dropRoom: (room: Room) => void;
}

/** The rooms of each user. */
interface Memberships {
  readonly listOf: (userId: number) => number[];
  /** Adds or changes a member. */
  readonly putMember: (room: Room, member: MemberRecord) => void;
  readonly leave: (room: Room, userId: number) => void;
}

export function createMemberships(): Memberships {
  const roomsOf = new Map<number, Set<number>>();
  return {
    listOf: (userId) => Array.from(roomsOf.get(userId) ?? []).toSorted((a, b) => a - b),
    putMember({ group, members }, member) {
      members.set(member.userId, member);
      const groupIds = roomsOf.get(member.userId) ?? new Set<number>();
      roomsOf.set(member.userId, groupIds.add(group.groupId));
    },
    leave({ group, members }, userId) {
      members.delete(userId);
      roomsOf.get(userId)?.delete(group.groupId);
    },
  };
}

/** The first room for each group of an external network. */
interface FirstRooms {
  readonly byExt: ReadonlyMap<string, GroupRecord>;
  readonly note: (group: GroupRecord) => void;
  /** Replaces a dropped room with the next one. */
  readonly replace: (dropped: GroupRecord) => void;
}

function note(byExt: Map<string, GroupRecord>, group: GroupRecord): void {
  const first = byExt.get(extKey(group)) ?? group;
  if (group.ext !== null && first.groupId === group.groupId) byExt.set(extKey(group), group);
}

export function createFirstRooms(rooms: Numbered<Room>): FirstRooms {
  const byExt = new Map<string, GroupRecord>();
  return {
    byExt,
    note: (group) => note(byExt, group),
    replace(dropped) {
      const key = extKey(dropped);
      if (byExt.get(key)?.groupId !== dropped.groupId) return;
      byExt.delete(key);
      const groups = Iterator.from(rooms.list(0, Infinity)).map(({ group }) => group);
      const next = groups.find((group) => extKey(group) === key);
      if (next !== undefined) note(byExt, next);
    },
  };
}
