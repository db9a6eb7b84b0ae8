import type { GroupRecord, GroupStore, MemberRecord } from "@telex/core/storage";
import type { Report } from "./changes.ts";
import type { Counter } from "../engine/counters.ts";
import type { Verb } from "../engine/gate.ts";
import { createNumbered } from "../engine/numbered.ts";
import type { Kept, Tables } from "../engine/tables.ts";
import { type Room, extKey, type Rooms, createSeats, createFirsts } from "./seats.ts";

function createRooms(counter: Counter): Rooms {
  const rooms = createNumbered<Room>(counter);
  const firsts = createFirsts(rooms);
  const seats = createSeats();
  return {
    ...rooms,
    ...seats,
    byExt: firsts.byExt,
    putGroup(group) {
      const room = rooms.find(group.groupId) ?? { group, members: new Map<number, MemberRecord>() };
      room.group = group;
      rooms.put(group.groupId, room);
      firsts.note(group);
      return room;
    },
    dropRoom(room) {
      for (const userId of room.members.keys()) seats.leave(room, userId);
      rooms.drop(room.group.groupId);
      firsts.replace(room.group);
    },
  };
}

const enter = (rooms: Rooms, room: Room, userId: number): void => {
  if (!room.members.has(userId)) rooms.seat(room, { userId, card: null });
};

function append(rooms: Rooms, report: Report, group: GroupRecord, members: readonly number[]): GroupRecord {
  const room = rooms.putGroup(group);
  for (const userId of members) enter(rooms, room, userId);
  report("members", group.groupId);
  return room.group;
}

type Verbs<Name extends keyof GroupStore> = Pick<GroupStore, Name>;

const readVerbs = (
  verb: Verb,
  rooms: Rooms,
): Verbs<"findGroup" | "findGroupByExt" | "listGroups" | "listGroupsOf" | "listMembers"> => ({
  findGroup: verb((groupId) => rooms.find(groupId)?.group ?? null),
  findGroupByExt: verb((key) => rooms.byExt.get(extKey(key)) ?? null),
  listGroups: verb(({ after, limit }) => rooms.list(after, limit).map(({ group }) => group)),
  listGroupsOf: verb(rooms.listOf),
  listMembers: verb((groupId) =>
    Array.from(rooms.find(groupId)?.members.values() ?? []).toSorted((a, b) => a.userId - b.userId),
  ),
});

const roomVerbs = (
  verb: Verb,
  rooms: Rooms,
  report: Report,
  counter: Counter,
): Verbs<"appendGroup" | "appendGroupOnce" | "amendGroup" | "dropGroup"> => ({
  appendGroup: verb((group, members) => append(rooms, report, { ...group, groupId: counter.next() }, members)),
  appendGroupOnce: verb((group, members, others) => {
    const found = [group, ...others].map((key) => rooms.byExt.get(extKey(key))).filter((room) => room !== undefined);
    const [known] = found.toSorted((a, b) => a.groupId - b.groupId);
    if (known !== undefined) return { outcome: "known", group: known };
    const added = append(rooms, report, { ...group, groupId: counter.next() }, members);
    return { outcome: "appended", group: added };
  }),
  amendGroup: verb((groupId, change) => {
    const room = rooms.find(groupId);
    if (room === null) return null;
    report("members", groupId);
    return rooms.putGroup({ ...room.group, ...change }).group;
  }),
  dropGroup: verb((groupId) => {
    const room = rooms.find(groupId);
    if (room === null) return false;
    rooms.dropRoom(room);
    report("members", groupId);
    return true;
  }),
});

const memberVerbs = (verb: Verb, rooms: Rooms, report: Report): Verbs<"amendMembers" | "amendCard"> => ({
  amendMembers: verb((groupId, { add, remove }) => {
    const room = rooms.find(groupId);
    if (room === null) return "missing";
    for (const userId of remove) rooms.leave(room, userId);
    for (const userId of add) enter(rooms, room, userId);
    report("members", groupId);
    return "amended";
  }),
  amendCard: verb((groupId, userId, card) => {
    const room = rooms.find(groupId);
    if (room?.members.has(userId) !== true) return "missing";
    rooms.seat(room, { userId, card });
    report("members", groupId);
    return "amended";
  }),
});

/** Chat rooms in memory. */
export function createGroupStore(verb: Verb, report: Report, counter: Counter): Kept<GroupStore, "groups" | "members"> {
  const rooms = createRooms(counter);
  return {
    store: {
      ...readVerbs(verb, rooms),
      ...roomVerbs(verb, rooms, report, counter),
      ...memberVerbs(verb, rooms, report),
    },
    tables: { groups: tableOfGroups(rooms), members: tableOfMembers(rooms) },
  };
}

const tableOfGroups = (rooms: Rooms): Tables["groups"] => ({
  all: () => Iterator.from(rooms.all()).map(({ group }) => group),
  put: (group) => void rooms.putGroup({ ...group }),
});

const tableOfMembers = (rooms: Rooms): Tables["members"] => ({
  *all() {
    for (const { group, members } of rooms.all()) {
      for (const member of members.values()) yield { groupId: group.groupId, ...member };
    }
  },
  put({ groupId, userId, card }) {
    const room = rooms.find(groupId);
    if (room === null) throw new Error(`There is no room ${groupId} for its member.`);
    rooms.seat(room, { userId, card });
  },
});
