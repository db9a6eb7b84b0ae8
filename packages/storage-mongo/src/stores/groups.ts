import {
  type AppendedOnce,
  type GroupKey,
  type GroupRecord,
  type GroupStore,
  type MemberRecord,
  type NewGroup,
  newGroup,
  newMember,
  type NewNetworkGroup,
  type RoomAmended,
  type RoomChange,
} from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, feedRoot, plain, recordOrNull, recordsOf } from "../driver/collections.ts";
import { type Documents, idFor, recordOf } from "../driver/documents.ts";
import { oneText } from "../driver/schema.ts";
import { removeMost } from "./parts.ts";
import type { Tx } from "../driver/transaction.ts";

/** The filter for the members of a room, on the index of ids. */
const ofRoom = (groupId: number) => ({
  _id: { $gte: { a: groupId, b: 0 }, $lt: { a: groupId + 1, b: 0 } },
});

/** The filter for the rooms under a key. Callers also pass whole rooms as keys. */
const underKey = ({ ext, groupType, bot }: GroupKey) => ({ ext: oneText(ext), groupType, bot });

const memberOf = (document: Documents["members"]): MemberRecord => {
  const { groupId: _groupId, ...member } = recordOf("members", document);
  return member;
};

const firstMembers = (userIds: Iterable<number>): readonly MemberRecord[] =>
  Array.from(new Set(userIds), (userId) => newMember(userId, 0));

/** Changes an existing room, and reports it. */
async function amendRoom(tx: Tx, groupId: number, change: Partial<GroupRecord>): Promise<Documents["groups"] | null> {
  const before = recordOrNull("groups", await tx.find("groups", groupId));
  if (before === null) return null;
  const room = plain("groups", { ...before, ...change, rev: before.rev + 1 });
  tx.put("groups", room);
  tx.report("members", groupId);
  return room;
}

async function amendMembers(
  tx: Tx,
  groupId: number,
  { add, remove, at }: { readonly add: readonly number[]; readonly remove: readonly number[]; readonly at: number },
): Promise<"amended" | "missing"> {
  if ((await amendRoom(tx, groupId, {})) === null) return "missing";
  await tx.load([...add, ...remove].map((userId) => ({ name: "members", id: idFor([groupId, userId]) })));
  for (const userId of add) {
    if ((await tx.find("members", idFor([groupId, userId]))) === null)
      tx.add("members", plain("members", { groupId, ...newMember(userId, at) }));
  }
  for (const userId of remove) tx.drop("members", idFor([groupId, userId]));
  return "amended";
}

async function amendCard(tx: Tx, groupId: number, userId: number, card: string | null): Promise<"amended" | "missing"> {
  const member = await tx.find("members", idFor([groupId, userId]));
  if (member === null || (await amendRoom(tx, groupId, {})) === null) return "missing";
  tx.put("members", { ...member, card });
  return "amended";
}

/** Changes a room that has not changed since it was found. */
async function amendFound(tx: Tx, { groupId, rev, change, put, drop: gone }: RoomChange): Promise<RoomAmended> {
  const before = recordOrNull("groups", await tx.find("groups", groupId));
  if (before === null) return { outcome: "missing" };
  if (before.rev !== rev) return { outcome: "changed" };
  for (const member of put) tx.put("members", plain("members", { groupId, ...member }));
  for (const userId of gone) tx.drop("members", idFor([groupId, userId]));
  const [left] = await tx.list("members", ofRoom(groupId), { limit: 1 });
  if (left === undefined) {
    await drop(tx, groupId);
    return { outcome: "dropped" };
  }
  const group = await amendRoom(tx, groupId, change);
  return group === null ? { outcome: "missing" } : { outcome: "amended", group: recordOf("groups", group) };
}

async function drop(tx: Tx, groupId: number): Promise<boolean> {
  if ((await tx.find("groups", groupId)) === null) return false;
  tx.drop("groups", groupId);
  await tx.dropAll("members", ofRoom(groupId));
  tx.report("members", groupId);
  return true;
}

type WriteVerbs = Pick<
  GroupStore,
  | "appendGroup"
  | "appendGroupOnce"
  | "appendRoom"
  | "amendRoom"
  | "amendGroup"
  | "dropGroup"
  | "amendMembers"
  | "amendCard"
>;

async function append(
  { ids }: StoreDeps,
  tx: Tx,
  fields: NewGroup,
  members: readonly MemberRecord[],
): Promise<GroupRecord> {
  const room: GroupRecord = { groupId: await ids.count(tx, "group"), ...newGroup(fields) };
  const { groupId } = room;
  tx.add("groups", plain("groups", room));
  for (const member of members) tx.add("members", plain("members", { groupId, ...member }));
  tx.report("members", groupId);
  return room;
}

/** Every verb that adds or removes a room writes the root of the feed, so one of two simultaneous verbs runs again. */
async function appendOnce(
  deps: StoreDeps,
  tx: Tx,
  fields: NewNetworkGroup,
  { members, others }: { readonly members: readonly MemberRecord[]; readonly others: readonly GroupKey[] },
): Promise<AppendedOnce> {
  const rooms: GroupRecord[] = [];
  for (const key of [fields, ...others])
    rooms.push(...recordsOf("groups", await tx.list("groups", underKey(key), { sort: { _id: 1 }, limit: 1 })));
  const [known] = rooms.toSorted((a, b) => a.groupId - b.groupId);
  if (known !== undefined) return { outcome: "known", group: known };
  return { outcome: "appended", group: await append(deps, tx, fields, members) };
}

async function appendKeyed(
  deps: StoreDeps,
  tx: Tx,
  fields: NewGroup,
  members: readonly MemberRecord[],
): Promise<AppendedOnce> {
  const { uniqueKey = null } = fields;
  const underSame = uniqueKey === null ? [] : await tx.list("groups", { uniqueKey: oneText(uniqueKey) }, { limit: 1 });
  const [known] = recordsOf("groups", underSame);
  if (known !== undefined) return { outcome: "known", group: known };
  return { outcome: "appended", group: await append(deps, tx, fields, members) };
}

const writeVerbs = (deps: StoreDeps, { write } = deps.batches): WriteVerbs => ({
  appendGroup({ ...fields }, members) {
    const first = firstMembers(members);
    return write(feedRoot, (tx) => append(deps, tx, fields, first));
  },
  appendRoom({ ...fields }, members) {
    const first = members.map((member) => ({ ...member }));
    return write(feedRoot, (tx) => appendKeyed(deps, tx, fields, first));
  },
  amendRoom(asked) {
    const { change, put, drop: gone } = asked;
    const own = { ...asked, change: { ...change }, put: put.map((member) => ({ ...member })), drop: [...gone] };
    return write(feedRoot, (tx) => amendFound(tx, own));
  },
  appendGroupOnce({ ...fields }, members, others) {
    const uses = { members: firstMembers(members), others: others.map((key) => ({ ...key })) };
    return write(feedRoot, (tx) => appendOnce(deps, tx, fields, uses));
  },
  amendGroup(groupId, { ...change }) {
    return write(feedRoot, async (tx) => recordOrNull("groups", await amendRoom(tx, groupId, change)));
  },
  async dropGroup(groupId) {
    await removeMost(deps, "members", ofRoom(groupId));
    return write(feedRoot, (tx) => drop(tx, groupId));
  },
  amendMembers(groupId, { add, remove, at = 0 }) {
    const own = { add: [...new Set(add)], remove: [...new Set(remove)], at };
    return write(feedRoot, (tx) => amendMembers(tx, groupId, own));
  },
  amendCard: (groupId, userId, card) => write(feedRoot, (tx) => amendCard(tx, groupId, userId, card)),
});

/** Chat rooms and their members. */
export function createGroupStore(deps: StoreDeps): GroupStore {
  const groups = collectionOf(deps.db, "groups");
  const members = collectionOf(deps.db, "members");
  const { single, read } = deps.batches;
  return {
    ...writeVerbs(deps),
    findGroup: (groupId) => single(async () => recordOrNull("groups", await groups.findOne({ _id: groupId }))),
    findRoom: (groupId) =>
      read(async (tx) => {
        const group = recordOrNull("groups", await tx.find("groups", groupId));
        if (group === null) return null;
        const matches = await tx.list("members", ofRoom(groupId), { sort: { _id: 1 } });
        return { group, members: new Map(matches.map((one) => [one.userId, memberOf(one)])) };
      }),
    findGroupByExt: (key) =>
      single(async () => recordOrNull("groups", await groups.findOne(underKey(key), { sort: { _id: 1 } }))),
    listGroups: ({ after, limit }) =>
      single(async () => {
        const matches = await groups.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }).toArray();
        return recordsOf("groups", matches);
      }),
    listGroupsOf: (userId) =>
      single(async () => {
        const matches = await members.find({ userId }, { sort: { groupId: 1 } }).toArray();
        return matches.map(({ groupId }) => groupId);
      }),
    listArchivedOf: (userId) =>
      read(async (tx) => {
        const own = await tx.list("members", { userId }, { sort: { groupId: 1 } });
        const rooms = await tx.list("groups", { _id: { $in: own.map(({ groupId }) => groupId) }, archived: true });
        const archived = new Set(recordsOf("groups", rooms).map(({ groupId }) => groupId));
        return own.filter((one) => one.archived || archived.has(one.groupId)).map(({ groupId }) => groupId);
      }),
    listMembers: (groupId) =>
      single(async () => (await members.find(ofRoom(groupId), { sort: { _id: 1 } }).toArray()).map(memberOf)),
  };
}
