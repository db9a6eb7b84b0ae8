import type { GroupRecord, GroupStore, MemberRecord } from "@telex/core";
import type { Report } from "./changes.ts";
import type { Counter } from "./counters.ts";
import type { Verb } from "./gate.ts";
import { createNumbered, type Numbered } from "./numbered.ts";
import type { Kept, Tables } from "./tables.ts";

interface Room {
  group: GroupRecord;
  readonly members: Map<number, MemberRecord>;
}

const extKey = ({ ext, groupType, bot }: Pick<GroupRecord, "ext" | "groupType" | "bot">): string =>
  JSON.stringify([ext, groupType, bot]);

/** Chat rooms in memory. */
export function createGroupStore(verb: Verb, report: Report, counter: Counter): Kept<GroupStore, "groups" | "members"> {
  const rooms = createNumbered<Room>(counter);
  /** The first room of each. */
  const byExt = new Map<string, GroupRecord>();
  const roomsOf = new Map<number, Set<number>>();

  const { find } = rooms;
  const put = (group: GroupRecord): Room => {
    const room = find(group.groupId) ?? { group, members: new Map<number, MemberRecord>() };
    room.group = group;
    rooms.put(group.groupId, room);
    if (group.ext !== null && !byExt.has(extKey(group))) byExt.set(extKey(group), group);
    return room;
  };
  const seat = ({ group, members }: Room, member: MemberRecord): void => {
    members.set(member.userId, member);
    const groupIds = roomsOf.get(member.userId) ?? new Set<number>();
    roomsOf.set(member.userId, groupIds.add(group.groupId));
  };
  const enter = (room: Room, userId: number): void => {
    if (!room.members.has(userId)) seat(room, { userId, card: null });
  };
  const leave = ({ group, members }: Room, userId: number): void => {
    members.delete(userId);
    roomsOf.get(userId)?.delete(group.groupId);
  };

  const store: GroupStore = {
    appendGroup: verb((group, members) => {
      const room = put({ ...group, groupId: counter.next() });
      for (const userId of members) enter(room, userId);
      report("members", room.group.groupId);
      return room.group;
    }),
    findGroup: verb((groupId) => find(groupId)?.group ?? null),
    findGroupByExt: verb((key) => byExt.get(extKey(key)) ?? null),
    listGroups: verb(({ after, limit }) => rooms.list(after, limit).map(({ group }) => group)),
    listGroupsOf: verb((userId) => Array.from(roomsOf.get(userId) ?? []).toSorted((a, b) => a - b)),
    listMembers: verb((groupId) =>
      Array.from(find(groupId)?.members.values() ?? []).toSorted((a, b) => a.userId - b.userId),
    ),
    amendMembers: verb((groupId, { add, remove }) => {
      const room = find(groupId);
      if (room === null) return "missing";
      for (const userId of remove) leave(room, userId);
      for (const userId of add) enter(room, userId);
      report("members", groupId);
      return "amended";
    }),
    amendCard: verb((groupId, userId, card) => {
      const room = find(groupId);
      if (room?.members.has(userId) !== true) return "missing";
      room.members.set(userId, { userId, card });
      report("members", groupId);
      return "amended";
    }),
  };
  return { store, tables: { groups: tableOfGroups(rooms, put), members: tableOfMembers(rooms, seat) } };
}

const tableOfGroups = (rooms: Numbered<Room>, put: (group: GroupRecord) => Room): Tables["groups"] => ({
  all: () => Iterator.from(rooms.all()).map(({ group }) => group),
  put: (group) => void put({ ...group }),
});

const tableOfMembers = (
  rooms: Numbered<Room>,
  seat: (room: Room, member: MemberRecord) => void,
): Tables["members"] => ({
  *all() {
    for (const { group, members } of rooms.all()) {
      for (const member of members.values()) yield { groupId: group.groupId, ...member };
    }
  },
  put({ groupId, userId, card }) {
    const room = rooms.find(groupId);
    if (room === null) throw new Error(`There is no room ${groupId} for its member.`);
    seat(room, { userId, card });
  },
});
