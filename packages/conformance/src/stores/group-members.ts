import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { upTo } from "../support/expect.ts";
import { group, without } from "./group-kit.ts";

/** Promises about the members of a room and their cards. */
export const memberCases: readonly StorageCase[] = defineCases("groups", {
  "members come and go in one step": async ({ storage, reopen }) => {
    const { groupId } = await storage.groups.appendGroup(group(), [1, 2, 3]);
    assert.equal(await storage.groups.amendMembers(groupId, { add: [5, 4, 5], remove: [2, 99] }), "amended");
    const { groups } = await reopen();
    assert.deepEqual(await groups.listMembers(groupId), without(1, 3, 4, 5));
  },

  "a member who is added again keeps the card": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), [1, 2]);
    await groups.amendCard(groupId, 2, "Two");
    await groups.amendMembers(groupId, { add: [1, 2, 3], remove: [] });
    assert.deepEqual(await groups.listMembers(groupId), [
      ...without(1),
      ...without(2).map((member) => ({ ...member, card: "Two" })),
      ...without(3),
    ]);
  },

  "a member who returns has no card": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), [1]);
    await groups.amendCard(groupId, 1, "One");
    for (const change of [
      { add: [], remove: [1] },
      { add: [1], remove: [] },
    ])
      await groups.amendMembers(groupId, change);
    assert.deepEqual(await groups.listMembers(groupId), without(1));
  },

  "a card can be changed and removed": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), [1]);
    for (const card of ["One", "名片", null]) {
      assert.equal(await groups.amendCard(groupId, 1, card), "amended");
      const [member] = without(1);
      assert.deepEqual(await groups.listMembers(groupId), [{ ...member, card }]);
    }
  },

  "only members have a card": async ({ storage: { groups } }) => {
    const { groupId } = await groups.appendGroup(group(), [1]);
    assert.equal(await groups.amendCard(groupId, 2, "Two"), "missing");
    assert.deepEqual(await groups.listMembers(groupId), without(1));
  },

  "members that are added and removed simultaneously are all in force": async ({ storage, race }) => {
    const { groupId } = await storage.groups.appendGroup(group(), upTo(10));
    const adding = upTo(20).map((userId) => ({
      add: userId > 10 ? [userId] : [],
      remove: userId > 10 ? [] : [userId],
    }));
    await race(20, ({ groups }, caller) => groups.amendMembers(groupId, adding[caller] ?? { add: [], remove: [] }));
    assert.deepEqual(await storage.groups.listMembers(groupId), without(...upTo(20).slice(10)));
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
      without(...upTo(5)).map((member) => ({ ...member, card: `card ${member.userId}` })),
    );
    assert.equal(members.length, 10);
  },
});
