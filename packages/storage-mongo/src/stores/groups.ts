import type {
  AppendedOnce,
  GroupKey,
  GroupRecord,
  GroupStore,
  MemberRecord,
  NewNetworkGroup,
} from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, feedRoot, plain, recordOrNull, recordsOf } from "../driver/collections.ts";
import { type Documents, idFor } from "../driver/documents.ts";
import { oneText } from "../driver/schema.ts";
import { removeMost } from "./parts.ts";
import type { Tx } from "../driver/transaction.ts";

/** The filter for the members of a room, on the index of ids. */
const ofRoom = (groupId: number) => ({
  _id: { $gte: { a: groupId, b: 0 }, $lt: { a: groupId + 1, b: 0 } },
});

/** The filter for the rooms under a key. Callers also give whole rooms as keys. */
const underKey = ({ ext, groupType, bot }: GroupKey) => ({ ext: oneText(ext), groupType, bot });

function addMember(tx: Tx, groupId: number, userId: number): void {
  tx.add("members", plain("members", { groupId, userId, card: null }));
}

/** Changes a room that exists, and reports it. */
async function amendRoom(tx: Tx, groupId: number, change: Partial<GroupRecord>): Promise<Documents["groups"] | null> {
  const before = await tx.find("groups", groupId);
  if (before === null) return null;
  const room = { ...before, ...change };
  tx.put("groups", room);
  tx.report("members", groupId);
  return room;
}

async function amendMembers(
  tx: Tx,
  groupId: number,
  { add, remove }: { readonly add: readonly number[]; readonly remove: readonly number[] },
): Promise<"amended" | "missing"> {
  if ((await amendRoom(tx, groupId, {})) === null) return "missing";
  await tx.load([...add, ...remove].map((userId) => ({ name: "members", id: idFor([groupId, userId]) })));
  for (const userId of add) {
    if ((await tx.find("members", idFor([groupId, userId]))) === null) addMember(tx, groupId, userId);
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

async function drop(tx: Tx, groupId: number): Promise<boolean> {
  if ((await tx.find("groups", groupId)) === null) return false;
  tx.drop("groups", groupId);
  await tx.dropAll("members", ofRoom(groupId));
  tx.report("members", groupId);
  return true;
}

type WriteVerbs = Pick<
  GroupStore,
  "appendGroup" | "appendGroupOnce" | "amendGroup" | "dropGroup" | "amendMembers" | "amendCard"
>;

async function append(
  { ids }: StoreDeps,
  tx: Tx,
  fields: Omit<GroupRecord, "groupId">,
  users: Iterable<number>,
): Promise<GroupRecord> {
  const room: GroupRecord = { groupId: await ids.count(tx, "group"), ...fields };
  tx.add("groups", plain("groups", room));
  for (const userId of users) addMember(tx, room.groupId, userId);
  tx.report("members", room.groupId);
  return room;
}

/** Every verb that adds or removes a room writes the root of the feed, so of two that run simultaneously one begins again. */
async function appendOnce(
  deps: StoreDeps,
  tx: Tx,
  fields: NewNetworkGroup,
  { users, others }: { readonly users: Iterable<number>; readonly others: readonly GroupKey[] },
): Promise<AppendedOnce> {
  const rooms: GroupRecord[] = [];
  for (const key of [fields, ...others])
    rooms.push(...recordsOf("groups", await tx.list("groups", underKey(key), { sort: { _id: 1 }, limit: 1 })));
  const [known] = rooms.toSorted((a, b) => a.groupId - b.groupId);
  if (known !== undefined) return { outcome: "known", group: known };
  return { outcome: "appended", group: await append(deps, tx, fields, users) };
}

const writeVerbs = (deps: StoreDeps, { write } = deps.batches): WriteVerbs => ({
  appendGroup(fields, members) {
    const own = { ...fields };
    const users = new Set(members);
    return write(feedRoot, (tx) => append(deps, tx, own, users));
  },
  appendGroupOnce(fields, members, others) {
    const own = { ...fields };
    const given = { users: new Set(members), others: others.map((key) => ({ ...key })) };
    return write(feedRoot, (tx) => appendOnce(deps, tx, own, given));
  },
  amendGroup(groupId, change) {
    const own = { ...change };
    return write(feedRoot, async (tx) => recordOrNull("groups", await amendRoom(tx, groupId, own)));
  },
  async dropGroup(groupId) {
    await removeMost(deps, "members", ofRoom(groupId));
    return write(feedRoot, (tx) => drop(tx, groupId));
  },
  amendMembers(groupId, { add, remove }) {
    const own = { add: [...new Set(add)], remove: [...new Set(remove)] };
    return write(feedRoot, (tx) => amendMembers(tx, groupId, own));
  },
  amendCard: (groupId, userId, card) => write(feedRoot, (tx) => amendCard(tx, groupId, userId, card)),
});

const memberOf = ({ userId, card }: Documents["members"]): MemberRecord => ({ userId, card });

/** Chat rooms and their members. */
export function createGroupStore(deps: StoreDeps): GroupStore {
  const groups = collectionOf(deps.db, "groups");
  const members = collectionOf(deps.db, "members");
  const { single } = deps.batches;
  return {
    ...writeVerbs(deps),
    findGroup: (groupId) => single(async () => recordOrNull("groups", await groups.findOne({ _id: groupId }))),
    findGroupByExt: (key) =>
      single(async () => recordOrNull("groups", await groups.findOne(underKey(key), { sort: { _id: 1 } }))),
    listGroups: ({ after, limit }) =>
      single(async () => {
        const found = await groups.find({ _id: { $gt: after } }, { sort: { _id: 1 }, limit }).toArray();
        return recordsOf("groups", found);
      }),
    listGroupsOf: (userId) =>
      single(async () => {
        const found = await members.find({ userId }, { sort: { groupId: 1 } }).toArray();
        return found.map(({ groupId }) => groupId);
      }),
    listMembers: (groupId) =>
      single(async () => (await members.find(ofRoom(groupId), { sort: { _id: 1 } }).toArray()).map(memberOf)),
  };
}
