import type { GroupRecord, GroupStore, MemberRecord } from "@telex/core";
import type { Report } from "./changes.ts";
import type { Verb } from "./gate.ts";

interface Room {
  readonly group: GroupRecord;
  readonly members: Map<number, MemberRecord>;
}

const extKey = ({ ext, groupType, bot }: Pick<GroupRecord, "ext" | "groupType" | "bot">): string =>
  JSON.stringify([ext, groupType, bot]);

/** Chat rooms in memory. */
export function createGroupStore(verb: Verb, report: Report): GroupStore {
  /** By id, which starts with 1 and has no holes. */
  const rooms: Room[] = [];
  const byExt = new Map<string, GroupRecord>();
  const roomsOf = new Map<number, Set<number>>();

  const find = (groupId: number): Room | null => rooms[groupId - 1] ?? null;
  const enter = ({ group, members }: Room, userId: number): void => {
    if (members.has(userId)) return;
    members.set(userId, { userId, card: null });
    const groupIds = roomsOf.get(userId) ?? new Set<number>();
    roomsOf.set(userId, groupIds.add(group.groupId));
  };
  const leave = ({ group, members }: Room, userId: number): void => {
    members.delete(userId);
    roomsOf.get(userId)?.delete(group.groupId);
  };

  return {
    appendGroup: verb((group, members) => {
      const record = { ...group, groupId: rooms.length + 1 };
      const room = { group: record, members: new Map<number, MemberRecord>() };
      rooms.push(room);
      if (record.ext !== null && !byExt.has(extKey(record))) byExt.set(extKey(record), record);
      for (const userId of members) enter(room, userId);
      report("members", record.groupId);
      return record;
    }),
    findGroup: verb((groupId) => find(groupId)?.group ?? null),
    findGroupByExt: verb((key) => byExt.get(extKey(key)) ?? null),
    listGroups: verb(({ after, limit }) => {
      const start = Math.max(0, after);
      return rooms.slice(start, start + limit).map(({ group }) => group);
    }),
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
}
