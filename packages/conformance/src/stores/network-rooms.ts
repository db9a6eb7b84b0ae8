import assert from "node:assert/strict";
import { changesSince } from "./changes.ts";
import { defineCases, type StorageCase } from "../support/case.ts";
import { fieldsOf } from "../support/expect.ts";
import { linked, ofNetwork, ofOfficial, without } from "./group-kit.ts";

/** The promises of chat rooms that stand for groups of an external network. */
export const networkRoomCases: readonly StorageCase[] = defineCases("groups", {
  "a room of the external network is found by its ID, its type and its bot": async ({ storage: { groups } }) => {
    for (const room of [ofNetwork({ groupType: 0, bot: null }), ofNetwork(), ofNetwork({ bot: "bot-2" })]) {
      const added = await groups.appendGroup(room, []);
      assert.deepEqual(await groups.findGroupByExt(room), added);
    }
  },

  "a room of the external network is not found by another ID, type or bot": async ({ storage: { groups } }) => {
    for (const room of [linked({ groupType: 0, bot: null }), linked()]) await groups.appendGroup(room, []);
    const official = { ext: "500", groupType: 0, bot: null } as const;
    for (const other of [{ ext: "501" }, { groupType: 3 }, { groupType: 4 }, { bot: "bot-1" }] as const)
      assert.equal(await groups.findGroupByExt({ ...official, ...other }), null);
  },

  "the oldest room of a group of the external network stands for it": async ({ storage: { groups } }) => {
    const [first, second] = [await groups.appendGroup(ofNetwork(), []), await groups.appendGroup(ofNetwork(), [])];
    assert.deepEqual(await groups.findGroupByExt(ofNetwork()), first);
    await groups.dropGroup(second.groupId);
    assert.deepEqual(await groups.findGroupByExt(ofNetwork()), first);
  },

  "when the first room of a group of the external network is removed, the next one stands for it": async (ground) => {
    const { groups } = ground.storage;
    const [first, second] = [await groups.appendGroup(ofNetwork(), []), await groups.appendGroup(ofNetwork(), [])];
    await groups.dropGroup(first.groupId);
    assert.deepEqual(await groups.findGroupByExt(ofNetwork()), second);
  },

  "a group of the external network of which the last room was removed has none": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(ofNetwork(), []);
    await groups.dropGroup(groupId);
    assert.equal(await groups.findGroupByExt(ofNetwork()), null);
  },

  "a group of the external network gets one room from 20 that add one simultaneously": async (ground) => {
    const { groups, changes } = ground.storage;
    const added = await ground.raceServers(20, (store, caller) =>
      store.groups.appendGroupOnce(ofNetwork({ name: `${caller}` }), [], []),
    );
    const rooms = await groups.listGroups({ after: 0, limit: 100 });
    assert.equal(rooms.length, 1);
    for (const { group: room } of added) assert.deepEqual(room, rooms[0]);
    assert.equal(added.filter(({ outcome }) => outcome === "appended").length, 1);
    assert.equal((await changesSince(changes, 0)).filter(({ kind }) => kind === "members").length, 1);
  },

  "a group of the external network has a room for each bot, and one that is official": async ({ storage }) => {
    const given = [ofNetwork(), ofNetwork({ bot: "bot-2" }), ofNetwork({ groupType: 0, bot: null })];
    const added = await Promise.all(given.map((room) => storage.groups.appendGroupOnce(room, [], [])));
    const rooms = added.map(({ group: room }) => room);
    assert.deepEqual(
      rooms,
      given.map((room, index) => ({ ...room, groupId: rooms[index]?.groupId })),
    );
    assert.equal(new Set(fieldsOf(rooms, "groupId")).size, 3);
  },

  "of 20 that add rooms of two types for one group and account of the external network, one does": async (ground) => {
    const { groups } = ground.storage;
    const added = await ground.raceServers(20, (store, caller) => {
      const [own, other] = caller % 2 === 0 ? [ofOfficial(), ofNetwork()] : [ofNetwork(), ofOfficial()];
      return store.groups.appendGroupOnce(own, [caller + 1], [other]);
    });
    const winner = added.findIndex(({ outcome }) => outcome === "appended");
    const rooms = await groups.listGroups({ after: 0, limit: 100 });
    assert.equal(rooms.length, 1);
    for (const { group: room } of added) assert.deepEqual(room, rooms[0]);
    assert.equal(added.filter(({ outcome }) => outcome === "appended").length, 1);
    assert.deepEqual(await groups.listMembers(rooms[0]?.groupId ?? 0), without(winner + 1));
  },

  "a room of another type that means the same group of the external network keeps its place": async (ground) => {
    const { groups } = ground.storage;
    const first = await groups.appendGroup(ofNetwork(), [7]);
    const known = { outcome: "known", group: first };
    assert.deepEqual(
      await groups.appendGroupOnce(ofOfficial(), [8], [ofNetwork({ bot: "bot-2" }), ofNetwork()]),
      known,
    );
    await groups.appendGroup(ofOfficial(), [8]);
    assert.deepEqual(await groups.appendGroupOnce(ofOfficial(), [8], [ofNetwork()]), known);
    assert.deepEqual(await groups.listMembers(first.groupId), without(7));
    assert.equal((await groups.listGroups({ after: 0, limit: 100 })).length, 2);
  },

  "a room that a group of the external network gets has its first members": async ({ storage, reopen }) => {
    const { outcome, group: room } = await storage.groups.appendGroupOnce(ofNetwork(), [9, 3, 9], [ofOfficial()]);
    assert.equal(outcome, "appended");
    assert.deepEqual(await (await reopen()).groups.listMembers(room.groupId), without(3, 9));
  },

  "a group of the external network that has rooms keeps the first one": async ({ storage: { groups } }) => {
    const first = await groups.appendGroup(ofNetwork(), [7]);
    await groups.appendGroup(ofNetwork(), [8]);
    const again = await groups.appendGroupOnce(ofNetwork({ name: "Another" }), [], []);
    assert.deepEqual(again, { outcome: "known", group: first });
    assert.equal((await groups.listGroups({ after: 0, limit: 100 })).length, 2);
  },

  "a group of the external network of which a room was removed has the next one": async ({ storage: { groups } }) => {
    const [first, second] = [await groups.appendGroup(ofNetwork(), [7]), await groups.appendGroup(ofNetwork(), [8])];
    await groups.dropGroup(first.groupId);
    assert.deepEqual(await groups.appendGroupOnce(ofNetwork(), [], []), { outcome: "known", group: second });
  },
});
