import assert from "node:assert/strict";
import type { GroupRecord } from "../src/groups/store.ts";
import { changesSince } from "./changes.ts";
import { defineCases, type StorageCase } from "./case.ts";
import { expectRising, upTo } from "./expect.ts";
import { now } from "./fixtures.ts";

const group = (different: Partial<GroupRecord> = {}): Omit<GroupRecord, "groupId"> => ({
  groupType: 1,
  name: "Room",
  ext: null,
  bot: null,
  avatar: null,
  createdAt: now,
  ...different,
});

const without = (...userIds: number[]) => userIds.map((userId) => ({ userId, card: null }));

/** What a storage promises of chat rooms. */
export const groupCases: readonly StorageCase[] = defineCases("groups", {
  "a room is kept as given, under an id of its own, with its members by user id": async ({ storage, reopen }) => {
    const given = group({ name: "房间 \u{1F3E0}", groupType: 4, ext: "500", bot: "bot-1" });
    const record = await storage.groups.appendGroup(given, [9, 3, 9, 21]);
    assert.ok(Number.isSafeInteger(record.groupId) && record.groupId > 0, `${record.groupId} is no id`);
    assert.deepEqual(record, { ...given, groupId: record.groupId });
    const { groups } = await reopen();
    assert.deepEqual(await groups.findGroup(record.groupId), record);
    assert.deepEqual(await groups.listMembers(record.groupId), without(3, 9, 21));
  },

  "a room that does not exist is not found": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), []);
    assert.equal(await groups.findGroup(groupId + 1), null);
    assert.deepEqual(await groups.listMembers(groupId + 1), []);
    assert.equal(await groups.amendMembers(groupId + 1, { add: [7], remove: [] }), "missing");
    assert.equal(await groups.amendCard(groupId + 1, 7, "card"), "missing");
    assert.deepEqual(await groups.listGroupsOf(7), []);
  },

  "ids rise in the order of the calls": async ({ storage: { groups } }) => {
    const added = await Promise.all(upTo(20).map((number) => groups.appendGroup(group({ name: `${number}` }), [])));
    const ids = added.map(({ groupId }) => groupId);
    expectRising(ids, "The ids of rooms");
  },

  "a room of the external network is found by its ID, its type and its bot": async ({ storage: { groups } }) => {
    const official = await groups.appendGroup(group({ groupType: 0, ext: "500" }), []);
    const personal = await groups.appendGroup(group({ groupType: 4, ext: "500", bot: "bot-1" }), []);
    const another = await groups.appendGroup(group({ groupType: 4, ext: "500", bot: "bot-2" }), []);
    await groups.appendGroup(group(), []);
    const find = (ext: string, groupType: 0 | 3 | 4, bot: string | null) =>
      groups.findGroupByExt({ ext, groupType, bot });
    assert.deepEqual(await find("500", 0, null), official);
    assert.deepEqual(await find("500", 4, "bot-1"), personal);
    assert.deepEqual(await find("500", 4, "bot-2"), another);
    assert.deepEqual(
      await Promise.all([find("501", 0, null), find("500", 3, null), find("500", 4, null), find("500", 0, "bot-1")]),
      [null, null, null, null],
    );
  },

  "a room gets another name and a picture, and stays what it is otherwise": async ({ storage, reopen }) => {
    const record = await storage.groups.appendGroup(group({ groupType: 4, ext: "500", bot: "bot-1" }), [3]);
    const other = await storage.groups.appendGroup(group(), []);
    assert.deepEqual(await storage.groups.amendGroup(record.groupId, { avatar: "a" }), { ...record, avatar: "a" });
    const renamed = await storage.groups.amendGroup(record.groupId, { name: "房间" });
    assert.deepEqual(renamed, { ...record, name: "房间", avatar: "a" });
    assert.equal(await storage.groups.amendGroup(other.groupId + 1, { name: "Nowhere" }), null);
    const { groups } = await reopen();
    assert.deepEqual(await groups.findGroup(record.groupId), renamed);
    assert.deepEqual(await groups.findGroupByExt({ ext: "500", groupType: 4, bot: "bot-1" }), renamed);
    assert.deepEqual(await groups.listMembers(record.groupId), without(3));
    assert.deepEqual(await groups.findGroup(other.groupId), other);
    const bare = await groups.amendGroup(record.groupId, { name: "Room", avatar: null });
    assert.deepEqual(bare, { ...record, name: "Room" });
  },

  "a room that is removed is gone, with its members; its id is not given again": async ({ storage, reopen }) => {
    const other = await storage.groups.appendGroup(group(), [7]);
    const { groupId } = await storage.groups.appendGroup(group(), [7, 8]);
    assert.equal(await storage.groups.dropGroup(groupId), true);
    assert.equal(await storage.groups.dropGroup(groupId), false);
    const { groups } = await reopen();
    assert.equal(await groups.findGroup(groupId), null);
    assert.deepEqual(await groups.listMembers(groupId), []);
    assert.deepEqual(await groups.listGroupsOf(7), [other.groupId]);
    assert.deepEqual(await groups.listGroupsOf(8), []);
    assert.deepEqual(await groups.listGroups({ after: 0, limit: 10 }), [other]);
    assert.equal(await groups.amendMembers(groupId, { add: [9], remove: [] }), "missing");
    assert.equal(await groups.amendCard(groupId, 7, "card"), "missing");
    const next = await groups.appendGroup(group(), []);
    assert.ok(next.groupId > groupId, `${next.groupId} is not above ${groupId}`);
  },

  "when the first room of a group of the external network is removed, the next one stands for it": async ({
    storage: { groups },
  }) => {
    const key = { ext: "500", groupType: 0, bot: null } as const;
    const first = await groups.appendGroup(group(key), []);
    const second = await groups.appendGroup(group(key), []);
    const third = await groups.appendGroup(group(key), []);
    await groups.dropGroup(second.groupId);
    assert.deepEqual(await groups.findGroupByExt(key), first);
    await groups.dropGroup(first.groupId);
    assert.deepEqual(await groups.findGroupByExt(key), third);
    await groups.dropGroup(third.groupId);
    assert.equal(await groups.findGroupByExt(key), null);
  },

  "a group of the external network gets one room, no matter how many add one simultaneously": async ({
    storage,
    raceServers,
  }) => {
    const given = { ...group({ groupType: 4, bot: "bot-1" }), ext: "500" };
    const start = await storage.changes.latest();
    const added = await raceServers(20, ({ groups }, caller) =>
      groups.appendGroupOnce({ ...given, name: `caller ${caller}` }),
    );
    const rooms = await storage.groups.listGroups({ after: 0, limit: 100 });
    assert.equal(rooms.length, 1);
    for (const room of added) assert.deepEqual(room, rooms[0]);
    assert.equal((await changesSince(storage.changes, start)).filter(({ kind }) => kind === "members").length, 1);
    const another = await storage.groups.appendGroupOnce({ ...given, bot: "bot-2" });
    const official = await storage.groups.appendGroupOnce({ ...given, groupType: 0, bot: null });
    assert.equal(new Set([rooms[0]?.groupId, another.groupId, official.groupId]).size, 3);
    assert.deepEqual(official, { ...given, groupType: 0, bot: null, groupId: official.groupId });
    assert.deepEqual(await storage.groups.listMembers(official.groupId), []);
  },

  "a group of the external network that has rooms keeps the first one": async ({ storage: { groups } }) => {
    const given = { ...group({ groupType: 0 }), ext: "500" };
    const first = await groups.appendGroup(given, [7]);
    await groups.appendGroup(given, [8]);
    assert.deepEqual(await groups.appendGroupOnce({ ...given, name: "Another" }), first);
    await groups.dropGroup(first.groupId);
    assert.notEqual((await groups.appendGroupOnce(given)).groupId, first.groupId);
    assert.equal((await groups.listGroups({ after: 0, limit: 100 })).length, 1);
  },

  "no member comes back into a room that is removed meanwhile": async ({ storage, race }) => {
    const { groupId } = await storage.groups.appendGroup(group(), [1]);
    const results = await race<unknown>(20, ({ groups }, caller) =>
      caller % 2 === 0 ? groups.dropGroup(groupId) : groups.amendMembers(groupId, { add: [caller], remove: [] }),
    );
    assert.equal(results.filter((result) => result === true).length, 1);
    assert.deepEqual(await storage.groups.listMembers(groupId), []);
    assert.deepEqual(await storage.groups.listGroupsOf(1), []);
  },

  "a list goes by id": async ({ storage: { groups } }) => {
    const added = await Promise.all(upTo(7).map((number) => groups.appendGroup(group({ name: `${number}` }), [])));
    assert.deepEqual(await groups.listGroups({ after: 0, limit: 100 }), added);
    assert.deepEqual(await groups.listGroups({ after: added[2]?.groupId ?? 0, limit: 3 }), added.slice(3, 6));
    assert.deepEqual(await groups.listGroups({ after: added[6]?.groupId ?? 0, limit: 3 }), []);
  },

  "a user's rooms are those in which the user is, in order": async ({ storage: { groups } }) => {
    const first = await groups.appendGroup(group(), [7, 8]);
    const second = await groups.appendGroup(group(), [8]);
    const third = await groups.appendGroup(group(), [7]);
    assert.deepEqual(await groups.listGroupsOf(7), [first.groupId, third.groupId]);
    await groups.amendMembers(second.groupId, { add: [7], remove: [] });
    await groups.amendMembers(first.groupId, { add: [], remove: [7] });
    assert.deepEqual(await groups.listGroupsOf(7), [second.groupId, third.groupId]);
    assert.deepEqual(await groups.listGroupsOf(9), []);
  },

  "members come and go in one step": async ({ storage, reopen }) => {
    const { groupId } = await storage.groups.appendGroup(group(), [1, 2, 3]);
    assert.equal(await storage.groups.amendMembers(groupId, { add: [5, 4, 5], remove: [2, 99] }), "amended");
    const { groups } = await reopen();
    assert.deepEqual(await groups.listMembers(groupId), without(1, 3, 4, 5));
  },

  "who is in already keeps the card, who comes back has none": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), [1, 2]);
    assert.equal(await groups.amendCard(groupId, 1, "One"), "amended");
    assert.equal(await groups.amendCard(groupId, 2, "Two"), "amended");
    await groups.amendMembers(groupId, { add: [1, 2, 3], remove: [] });
    const cards = [{ userId: 1, card: "One" }, { userId: 2, card: "Two" }, ...without(3)];
    assert.deepEqual(await groups.listMembers(groupId), cards);
    await groups.amendMembers(groupId, { add: [], remove: [1] });
    await groups.amendMembers(groupId, { add: [1], remove: [] });
    assert.deepEqual(await groups.listMembers(groupId), [...without(1), ...cards.slice(1)]);
  },

  "a card can be changed and taken away, for members only": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), [1]);
    await groups.amendCard(groupId, 1, "One");
    await groups.amendCard(groupId, 1, "名片");
    assert.deepEqual(await groups.listMembers(groupId), [{ userId: 1, card: "名片" }]);
    assert.equal(await groups.amendCard(groupId, 1, null), "amended");
    assert.equal(await groups.amendCard(groupId, 2, "Two"), "missing");
    assert.deepEqual(await groups.listMembers(groupId), without(1));
  },

  "members that are added and removed simultaneously are all in force": async ({ storage, race }) => {
    const { groupId } = await storage.groups.appendGroup(group(), upTo(10));
    await race(20, ({ groups }, caller) =>
      groups.amendMembers(groupId, caller < 10 ? { add: [], remove: [caller + 1] } : { add: [caller + 1], remove: [] }),
    );
    const members = await storage.groups.listMembers(groupId);
    assert.deepEqual(members, without(...upTo(20).slice(10)));
  },

  "cards that are set while members come and go are not lost": async ({ storage, race }) => {
    const { groupId } = await storage.groups.appendGroup(group(), upTo(5));
    await race(10, ({ groups }, caller) =>
      caller % 2 === 0
        ? groups.amendCard(groupId, caller / 2 + 1, `card ${caller / 2 + 1}`)
        : groups.amendMembers(groupId, { add: [100 + caller, ...upTo(5)], remove: [] }),
    );
    const members = await storage.groups.listMembers(groupId);
    assert.deepEqual(
      members.slice(0, 5),
      upTo(5).map((userId) => ({ userId, card: `card ${userId}` })),
    );
    assert.equal(members.length, 10);
  },

  "rooms that are added simultaneously all get ids of their own": async ({ storage, race }) => {
    const added = await race(20, ({ groups }, caller) => groups.appendGroup(group({ name: `${caller}` }), [7]));
    assert.equal(new Set(added.map(({ groupId }) => groupId)).size, 20);
    assert.equal((await storage.groups.listGroupsOf(7)).length, 20);
  },
});
