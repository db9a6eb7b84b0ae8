import assert from "node:assert/strict";
import { type GroupStore, type MemberRecord, newMember, type RoomChange } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectOutcome, fieldsOf, upTo } from "../support/expect.ts";
import { now } from "../support/fixtures.ts";
import { changeNames } from "./changes.ts";
import { group } from "./group-kit.ts";

const owner = (userId: number): MemberRecord => ({ ...newMember(userId, now), role: "owner" });

const byId = (...members: MemberRecord[]): [number, MemberRecord][] => members.map((one) => [one.userId, one]);

/** Adds a room that user 1 has made, with these members. */
const made = async (groups: GroupStore, ...userIds: number[]) => {
  const members = [owner(1), ...userIds.map((userId) => newMember(userId, now))];
  return (await groups.appendRoom(group(), members)).group;
};

const changeOf = (groupId: number, rev: number, different: Partial<RoomChange> = {}): RoomChange => ({
  groupId,
  rev,
  change: {},
  put: [],
  drop: [],
  ...different,
});

/** Adds a member as soon as the room can be changed. */
async function join(groups: GroupStore, groupId: number, userId: number): Promise<void> {
  for (;;) {
    const room = await groups.findRoom(groupId);
    const put = [newMember(userId, now)];
    const { outcome } = await groups.amendRoom(changeOf(groupId, room?.group.rev ?? 0, { put }));
    if (outcome === "amended") return;
    assert.equal(outcome, "changed");
  }
}

/** The promises of rooms that people run. */
export const peopleRoomCases: readonly StorageCase[] = defineCases("groups", {
  "a room is found with its members and their roles, also after a restart": async ({ storage, reopen }) => {
    const own = { card: "Mod", archived: true, notify: "mentions", mutedUntil: now + 9 } as const;
    const moderator: MemberRecord = { userId: 3, role: "moderator", joinedAt: now + 3, ...own };
    const input = group({ topic: "关于茶", archived: true, uniqueKey: "k", pins: "[3]" });
    const { group: added } = await storage.groups.appendRoom(input, [moderator, owner(1)]);
    const { groups } = await reopen();
    const room = await groups.findRoom(added.groupId);
    assert.deepEqual(room?.group, { ...input, groupId: added.groupId });
    assert.deepEqual([...(room?.members ?? [])], byId(owner(1), moderator));
    assert.deepEqual(await groups.listMembers(added.groupId), [owner(1), moderator]);
    assert.equal(await groups.findRoom(added.groupId + 1), null);
  },

  "a key has one room from 20 that add one simultaneously": async ({ storage, race }) => {
    const input = group({ uniqueKey: "pair/1/2" });
    const added = await race(20, ({ groups }) => groups.appendRoom(input, [owner(1)]));
    assert.equal(added.filter(({ outcome }) => outcome === "appended").length, 1);
    assert.equal(new Set(added.map(({ group: { groupId } }) => groupId)).size, 1);
    const other = await storage.groups.appendRoom({ ...input, uniqueKey: "pair/1/3" }, [owner(1)]);
    expectOutcome(other, "appended");
    for (const uniqueKey of [null, null])
      expectOutcome(await storage.groups.appendRoom({ ...input, uniqueKey }, []), "appended");
  },

  "the key of a room that is gone can be used again": async ({ storage: { groups } }) => {
    const input = group({ uniqueKey: "k" });
    const { group: first } = await groups.appendRoom(input, [owner(1)]);
    await groups.dropGroup(first.groupId);
    const again = await groups.appendRoom(input, [owner(1)]);
    assert.equal(again.outcome, "appended");
    assert.ok(again.group.groupId > first.groupId);
  },

  "a room and its members change in one step": async ({ storage, reopen }) => {
    const room = await made(storage.groups, 2, 3);
    const change = { name: "Tea", topic: "All of it", archived: true, avatar: "a" };
    const put: MemberRecord[] = [newMember(4, now), { ...newMember(2, now), role: "moderator" }];
    const amended = await storage.groups.amendRoom(changeOf(room.groupId, room.rev, { change, put, drop: [3] }));
    const expected = { ...room, ...change, rev: room.rev + 1 };
    assert.deepEqual(amended, { outcome: "amended", group: expected });
    const { groups } = await reopen();
    const stored = await groups.findRoom(room.groupId);
    assert.deepEqual(stored?.group, expected);
    assert.deepEqual(
      [...(stored?.members.values() ?? [])].map(({ userId, role }) => [userId, role]),
      [
        [1, "owner"],
        [2, "moderator"],
        [4, "member"],
      ],
    );
    assert.deepEqual(await groups.listGroupsOf(3), []);
  },

  "a room that has changed since it was found is not changed": async ({ storage: { groups } }) => {
    const { groupId, rev } = await made(groups, 2);
    const stale = () => groups.amendRoom(changeOf(groupId, rev, { change: { name: "Stale" }, drop: [2] }));
    for (const change of [
      () => groups.amendGroup(groupId, { name: "Renamed" }),
      () => groups.amendMembers(groupId, { add: [5], remove: [] }),
      () => groups.amendCard(groupId, 2, "Two"),
    ]) {
      await change();
      assert.deepEqual(await stale(), { outcome: "changed" });
    }
    const room = await groups.findRoom(groupId);
    assert.deepEqual([room?.group.name, [...(room?.members.keys() ?? [])]], ["Renamed", [1, 2, 5]]);
    assert.deepEqual(await groups.amendRoom(changeOf(groupId + 1, 0)), { outcome: "missing" });
  },

  "of 20 who have found the same room one changes it": async ({ storage, race }) => {
    const { groupId, rev } = await made(storage.groups, ...upTo(20));
    const results = await race(20, ({ groups }, caller) =>
      groups.amendRoom(changeOf(groupId, rev, { drop: [caller + 1] })),
    );
    assert.equal(results.filter(({ outcome }) => outcome === "amended").length, 1);
    assert.equal((await storage.groups.listMembers(groupId)).length, 19);
  },

  "of members who come simultaneously none is lost": async ({ storage, race }) => {
    const { groupId } = await made(storage.groups);
    await race(8, ({ groups }, caller) => join(groups, groupId, caller + 2));
    assert.deepEqual(fieldsOf(await storage.groups.listMembers(groupId), "userId"), upTo(9));
  },

  "a room without members is removed": async ({ storage: { groups, changes } }) => {
    const { groupId, rev } = await made(groups);
    const before = await changes.latest();
    assert.deepEqual(await groups.amendRoom(changeOf(groupId, rev, { drop: [1] })), { outcome: "dropped" });
    assert.deepEqual([await groups.findGroup(groupId), await groups.listGroupsOf(1)], [null, []]);
    assert.deepEqual(await changeNames(changes, before), [`members ${groupId}`]);
  },

  "archived rooms, and rooms that a member has put away, are listed for the member, in order": async (test) => {
    const { groups } = test.storage;
    const [open, away, closed] = [await made(groups, 2), await made(groups, 2), await made(groups, 2)];
    const foreign = await made(groups);
    await groups.amendRoom(changeOf(closed.groupId, 0, { change: { archived: true } }));
    await groups.amendRoom(changeOf(foreign.groupId, 0, { change: { archived: true } }));
    await groups.amendRoom(changeOf(away.groupId, 0, { put: [{ ...newMember(2, now), archived: true }] }));
    assert.deepEqual(await groups.listArchivedOf(2), [away.groupId, closed.groupId]);
    assert.deepEqual(await groups.listArchivedOf(1), [closed.groupId, foreign.groupId]);
    await groups.amendRoom(changeOf(closed.groupId, 1, { change: { archived: false } }));
    await groups.amendRoom(changeOf(open.groupId, 0, { change: { archived: true }, drop: [2] }));
    assert.deepEqual(await groups.listArchivedOf(2), [away.groupId]);
  },

  "a member who comes with the operator has joined then": async ({ storage: { groups } }) => {
    const { groupId } = await made(groups);
    await groups.amendMembers(groupId, { add: [1, 2], remove: [], at: now + 5 });
    assert.deepEqual(await groups.listMembers(groupId), [owner(1), newMember(2, now + 5)]);
  },
});
