import {
  type GroupRecord,
  type GroupStore,
  type MemberRecord,
  newGroup,
  newMember,
  type RoomChange,
} from "@telex/core/storage";
import type { Report } from "./changes.ts";
import type { Counter } from "../engine/counters.ts";
import type { Verb } from "../engine/gate.ts";
import { createNumbered } from "../engine/numbered.ts";
import type { Kept, Tables } from "../engine/tables.ts";
import { type Room, extKey, type Rooms, createMemberships, createFirstRooms } from "./memberships.ts";

function createRooms(counter: Counter): Rooms {
  const rooms = createNumbered<Room>(counter);
  const firstRooms = createFirstRooms(rooms);
  const memberships = createMemberships();
  return {
    ...rooms,
    ...memberships,
    byExt: firstRooms.byExt,
    byKey: (key) => Iterator.from(rooms.all()).find(({ group }) => group.uniqueKey === key),
    putGroup(group) {
      const room = rooms.find(group.groupId) ?? { group, members: new Map<number, MemberRecord>() };
      room.group = group;
      rooms.put(group.groupId, room);
      firstRooms.note(group);
      return room;
    },
    dropRoom(room) {
      for (const userId of room.members.keys()) memberships.leave(room, userId);
      rooms.drop(room.group.groupId);
      firstRooms.replace(room.group);
    },
  };
}

const enter = (rooms: Rooms, room: Room, member: MemberRecord): void => {
  if (!room.members.has(member.userId)) rooms.putMember(room, member);
};

function append(rooms: Rooms, report: Report, group: GroupRecord, members: readonly MemberRecord[]): GroupRecord {
  const room = rooms.putGroup(group);
  for (const member of members) enter(rooms, room, { ...member });
  report("members", group.groupId);
  return room.group;
}

const firstMembers = (userIds: readonly number[]): MemberRecord[] => userIds.map((userId) => newMember(userId, 0));

const raise = (rooms: Rooms, { group }: Room, change: Partial<GroupRecord> = {}): GroupRecord =>
  rooms.putGroup({ ...group, ...change, rev: group.rev + 1 }).group;

const byUserId = ({ members }: Room): MemberRecord[] => [...members.values()].toSorted((a, b) => a.userId - b.userId);

function amendRoom(rooms: Rooms, report: Report, { groupId, rev, change, put, drop }: RoomChange) {
  const room = rooms.find(groupId);
  if (room === null) return { outcome: "missing" } as const;
  if (room.group.rev !== rev) return { outcome: "changed" } as const;
  for (const member of put) rooms.putMember(room, { ...member });
  for (const userId of drop) rooms.leave(room, userId);
  report("members", groupId);
  if (room.members.size > 0) return { outcome: "amended", group: raise(rooms, room, change) } as const;
  rooms.dropRoom(room);
  return { outcome: "dropped" } as const;
}

type Verbs<Name extends keyof GroupStore> = Pick<GroupStore, Name>;

const readVerbs = (
  verb: Verb,
  rooms: Rooms,
): Verbs<
  "findGroup" | "findRoom" | "findGroupByExt" | "listGroups" | "listGroupsOf" | "listArchivedOf" | "listMembers"
> => ({
  findGroup: verb((groupId) => rooms.find(groupId)?.group ?? null),
  findRoom: verb((groupId) => {
    const room = rooms.find(groupId);
    return room && { group: room.group, members: new Map(byUserId(room).map((member) => [member.userId, member])) };
  }),
  findGroupByExt: verb((key) => rooms.byExt.get(extKey(key)) ?? null),
  listGroups: verb(({ after, limit }) => rooms.list(after, limit).map(({ group }) => group)),
  listGroupsOf: verb(rooms.listOf),
  listArchivedOf: verb((userId) =>
    rooms.listOf(userId).filter((groupId) => {
      const room = rooms.find(groupId);
      return room?.group.archived === true || room?.members.get(userId)?.archived === true;
    }),
  ),
  listMembers: verb((groupId) => {
    const room = rooms.find(groupId);
    return room === null ? [] : byUserId(room);
  }),
});

const roomVerbs = (
  verb: Verb,
  rooms: Rooms,
  report: Report,
  counter: Counter,
): Verbs<"appendGroup" | "appendGroupOnce" | "appendRoom" | "amendRoom" | "amendGroup" | "dropGroup"> => ({
  appendGroup: verb((group, members) =>
    append(rooms, report, { ...newGroup(group), groupId: counter.next() }, firstMembers(members)),
  ),
  appendRoom: verb((group, members) => {
    const { uniqueKey = null } = group;
    const existing = uniqueKey === null ? undefined : rooms.byKey(uniqueKey);
    if (existing !== undefined) return { outcome: "known", group: existing.group };
    return {
      outcome: "appended",
      group: append(rooms, report, { ...newGroup(group), groupId: counter.next() }, members),
    };
  }),
  amendRoom: verb((change) => amendRoom(rooms, report, change)),
  appendGroupOnce: verb((group, members, others) => {
    const matches = [group, ...others].map((key) => rooms.byExt.get(extKey(key))).filter((room) => room !== undefined);
    const [existing] = matches.toSorted((a, b) => a.groupId - b.groupId);
    if (existing !== undefined) return { outcome: "known", group: existing };
    const added = append(rooms, report, { ...newGroup(group), groupId: counter.next() }, firstMembers(members));
    return { outcome: "appended", group: added };
  }),
  amendGroup: verb((groupId, change) => {
    const room = rooms.find(groupId);
    if (room === null) return null;
    report("members", groupId);
    return raise(rooms, room, change);
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
  amendMembers: verb((groupId, { add, remove, at = 0 }) => {
    const room = rooms.find(groupId);
    if (room === null) return "missing";
    for (const userId of remove) rooms.leave(room, userId);
    for (const userId of add) enter(rooms, room, newMember(userId, at));
    raise(rooms, room);
    report("members", groupId);
    return "amended";
  }),
  amendCard: verb((groupId, userId, card) => {
    const room = rooms.find(groupId);
    const member = room?.members.get(userId);
    if (room === null || member === undefined) return "missing";
    rooms.putMember(room, { ...member, card });
    raise(rooms, room);
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
  put({ groupId, ...member }) {
    const room = rooms.find(groupId);
    if (room === null) throw new Error(`A member names room ${groupId}, which does not exist.`);
    rooms.putMember(room, member);
  },
});
