import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectId, expectRising, fieldsOf, upTo } from "../support/expect.ts";
import { dropped, group, linked, ofNetwork, without } from "./group-kit.ts";

/** The promises of chat rooms. */
export const groupCases: readonly StorageCase[] = defineCases("groups", {
  "a room is kept as given, under an id of its own": async ({ storage, reopen }) => {
    const record = await storage.groups.appendGroup(linked({ name: "房间 \u{1F3E0}" }), []);
    expectId(record.groupId);
    assert.deepEqual(record, { ...linked({ name: "房间 \u{1F3E0}" }), groupId: record.groupId });
    assert.deepEqual(await (await reopen()).groups.findGroup(record.groupId), record);
  },

  "a room has its first members, by user id": async ({ storage, reopen }) => {
    const { groupId } = await storage.groups.appendGroup(group(), [9, 3, 9, 21]);
    const { groups } = await reopen();
    assert.deepEqual(await groups.listMembers(groupId), without(3, 9, 21));
  },

  "a room that does not exist is not found, and has no members": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), []);
    assert.equal(await groups.findGroup(groupId + 1), null);
    assert.deepEqual(await groups.listMembers(groupId + 1), []);
  },

  "a room that does not exist gets no members and no cards": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), []);
    assert.equal(await groups.amendMembers(groupId + 1, { add: [7], remove: [] }), "missing");
    assert.equal(await groups.amendCard(groupId + 1, 7, "card"), "missing");
    assert.deepEqual(await groups.listGroupsOf(7), []);
  },

  "ids rise in the order of the calls": async ({ storage: { groups } }) => {
    const added = await Promise.all(upTo(20).map((number) => groups.appendGroup(group({ name: `${number}` }), [])));
    expectRising(fieldsOf(added, "groupId"), "The ids of rooms");
  },

  "a room gets another name and a picture, each for itself": async ({ storage: { groups } }) => {
    const record = await groups.appendGroup(linked(), []);
    assert.deepEqual(await groups.amendGroup(record.groupId, { avatar: "a" }), { ...record, avatar: "a", rev: 1 });
    const renamed = await groups.amendGroup(record.groupId, { name: "房间" });
    assert.deepEqual(renamed, { ...record, name: "房间", avatar: "a", rev: 2 });
  },

  "a room loses its picture": async ({ storage: { groups } }) => {
    const record = await groups.appendGroup(linked(), []);
    await groups.amendGroup(record.groupId, { avatar: "a" });
    assert.deepEqual(await groups.amendGroup(record.groupId, { avatar: null }), { ...record, rev: 2 });
  },

  "a changed room keeps its other fields, also after a restart": async ({ storage, reopen }) => {
    const { groupId } = await storage.groups.appendGroup(linked(), [3]);
    const renamed = await storage.groups.amendGroup(groupId, { name: "房间", avatar: "a" });
    const { groups } = await reopen();
    assert.deepEqual([await groups.findGroup(groupId), await groups.listMembers(groupId)], [renamed, without(3)]);
    assert.deepEqual(await groups.findGroupByExt(ofNetwork()), renamed);
  },

  "a change of a room changes no other room": async ({ storage: { groups } }) => {
    const [record, other] = [await groups.appendGroup(group(), []), await groups.appendGroup(group(), [])];
    await groups.amendGroup(record.groupId, { name: "房间" });
    assert.equal(await groups.amendGroup(other.groupId + 1, { name: "Nowhere" }), null);
    assert.deepEqual(await groups.findGroup(other.groupId), other);
  },

  "a room is removed once": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), [7, 8]);
    assert.equal(await groups.dropGroup(groupId), true);
    assert.equal(await groups.dropGroup(groupId), false);
  },

  "a room that is removed is gone, also after a restart": async ({ storage, reopen }) => {
    const other = await storage.groups.appendGroup(group(), [7]);
    const groupId = await dropped(storage.groups);
    const { groups } = await reopen();
    assert.equal(await groups.findGroup(groupId), null);
    assert.deepEqual(await groups.listGroups({ after: 0, limit: 10 }), [other]);
    assert.deepEqual(await groups.listMembers(groupId), []);
    assert.deepEqual([await groups.listGroupsOf(7), await groups.listGroupsOf(8)], [[other.groupId], []]);
  },

  "a room that is removed has no members, and gets none": async ({ storage: { groups } }) => {
    const groupId = await dropped(groups);
    assert.deepEqual([await groups.listMembers(groupId), await groups.listGroupsOf(7)], [[], []]);
    assert.equal(await groups.amendMembers(groupId, { add: [9], remove: [] }), "missing");
    assert.equal(await groups.amendCard(groupId, 7, "card"), "missing");
  },

  "the id of a room that was removed is not given again": async ({ storage, reopen }) => {
    const groupId = await dropped(storage.groups);
    const next = await (await reopen()).groups.appendGroup(group(), []);
    assert.ok(next.groupId > groupId, `${next.groupId} is not above ${groupId}`);
  },

  "no member comes back into a room that is removed meanwhile": async ({ storage, race }) => {
    const { groupId } = await storage.groups.appendGroup(group(), [1]);
    const results = await race<unknown>(20, ({ groups }, caller) =>
      caller % 2 === 0 ? groups.dropGroup(groupId) : groups.amendMembers(groupId, { add: [caller], remove: [] }),
    );
    assert.equal(results.filter((result) => result === true).length, 1);
    assert.deepEqual([await storage.groups.listMembers(groupId), await storage.groups.listGroupsOf(1)], [[], []]);
  },

  "a list goes by id": async ({ storage: { groups } }) => {
    const added = await Promise.all(upTo(7).map((number) => groups.appendGroup(group({ name: `${number}` }), [])));
    assert.deepEqual(await groups.listGroups({ after: 0, limit: 100 }), added);
    assert.deepEqual(await groups.listGroups({ after: added[2]?.groupId ?? 0, limit: 3 }), added.slice(3, 6));
    assert.deepEqual(await groups.listGroups({ after: added[6]?.groupId ?? 0, limit: 3 }), []);
  },

  "a user's rooms are those in which the user is, in order": async ({ storage: { groups } }) => {
    const appends = [[7, 8], [8], [7]].map((members) => groups.appendGroup(group(), members));
    const [first, second, third] = fieldsOf(await Promise.all(appends), "groupId");
    assert.deepEqual(await groups.listGroupsOf(7), [first, third]);
    assert.deepEqual([await groups.listGroupsOf(8), await groups.listGroupsOf(9)], [[first, second], []]);
  },

  "a user's rooms follow joining and leaving": async ({ storage: { groups } }) => {
    const [first, second] = [await groups.appendGroup(group(), [7]), await groups.appendGroup(group(), [8])];
    await groups.amendMembers(second.groupId, { add: [7], remove: [] });
    await groups.amendMembers(first.groupId, { add: [], remove: [7] });
    assert.deepEqual(await groups.listGroupsOf(7), [second.groupId]);
  },

  "rooms that are added simultaneously all get ids of their own": async ({ storage, race }) => {
    const added = await race(20, ({ groups }, caller) => groups.appendGroup(group({ name: `${caller}` }), [7]));
    assert.equal(new Set(added.map(({ groupId }) => groupId)).size, 20);
    assert.equal((await storage.groups.listGroupsOf(7)).length, 20);
  },
});
