import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectId, expectRising } from "../support/expect.ts";
import { idsOf, now } from "../support/fixtures.ts";
import { settleTurn } from "./settle-turn.ts";
import { createRandom } from "../testing/index.ts";
import { user, conversation, turn, messagesOf } from "./conversation-kit.ts";

/** Promises of a storage about conversations. */
export const conversationCases: readonly StorageCase[] = defineCases("ai conversations", {
  "a conversation is kept as it was given, under an id of its own": async ({ storage: { ai } }) => {
    const input = conversation("标题 \u{1F4AC}", { status: 1, defaultModel: "m", totalToken: 99 });
    const record = await ai.appendConversation(input);
    expectId(record.id);
    assert.deepEqual(record, { ...input, id: record.id });
  },

  "conversations survive a restart": async ({ storage, reopen }) => {
    const input = conversation("标题 \u{1F4AC}", { status: 1, defaultModel: "m", totalToken: 99 });
    const record = await storage.ai.appendConversation(input);
    const { ai } = await reopen();
    assert.deepEqual(await ai.listConversations(user, { offset: 0, limit: 10 }), { total: 1, list: [record] });
  },

  "ids rise in the order of the calls": async ({ storage: { ai } }) => {
    const records = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ai.appendConversation(conversation(`${index}`))),
    );
    expectRising(idsOf(records), "The ids of conversations");
  },

  "a list is sorted by the last message, newest first, ties by id; offset and limit count rows": async (ground) => {
    const { ai } = ground.storage;
    const random = createRandom(3);
    const records = await Promise.all(
      Array.from({ length: 23 }, (_, index) =>
        ai.appendConversation(conversation(`${index}`, { lastMessage: now + random.below(6) })),
      ),
    );
    await ai.appendConversation(conversation("foreign", { userId: 8 }));
    const sorted = records.toSorted((a, b) => b.lastMessage - a.lastMessage || b.id - a.id);
    for (const [offset, limit] of [
      [0, 10],
      [10, 10],
      [20, 10],
      [0, 23],
      [22, 1],
      [23, 5],
      [1000, 5],
    ] as const) {
      const page = await ai.listConversations(user, { offset, limit });
      assert.deepEqual(
        page,
        { total: 23, list: sorted.slice(offset, offset + limit) },
        `offset ${offset}, limit ${limit}`,
      );
    }
    assert.deepEqual(await ai.listConversations(9, { offset: 0, limit: 10 }), { total: 0, list: [] });
  },

  "the conversations of a user are read by their ids, newest first, however late they were used": async (ground) => {
    const { ai } = ground.storage;
    const records = [];
    for (const lastMessage of [30, 10, 20, 10])
      records.push(await ai.appendConversation(conversation("", { lastMessage })));
    await ai.appendConversation(conversation("foreign", { userId: 8 }));
    const byId = records.toReversed();
    const page = (before: number, limit: number) => ai.pageConversations({ userId: user, before, limit });
    assert.deepEqual(await page(Number.MAX_SAFE_INTEGER, 3), byId.slice(0, 3));
    assert.deepEqual(await page(byId[2]?.id ?? 0, 3), byId.slice(3));
    assert.deepEqual(await page(byId[3]?.id ?? 0, 3), []);
    await ai.dropConversation({ conversationId: byId[0]?.id ?? 0, userId: user });
    assert.deepEqual(await page(Number.MAX_SAFE_INTEGER, 1), byId.slice(1, 2));
  },

  "conversations that start simultaneously all get ids of their own": async ({ storage, race }) => {
    const records = await race(20, ({ ai }, caller) => ai.appendConversation(conversation(`${caller}`)));
    assert.equal(new Set(idsOf(records)).size, 20);
    assert.equal((await storage.ai.listConversations(user, { offset: 0, limit: 50 })).total, 20);
  },

  "a conversation is found by its user only": async ({ storage: { ai } }) => {
    const { id } = await ai.appendConversation(conversation("mine"));
    assert.equal((await ai.findConversation({ conversationId: id, userId: user }))?.title, "mine");
    assert.equal(await ai.findConversation({ conversationId: id, userId: 8 }), null);
    assert.equal(await ai.findConversation({ conversationId: id + 1, userId: user }), null);
  },

  "a conversation is changed and dropped by its user only": async ({ storage: { ai } }) => {
    const { id } = await ai.appendConversation(conversation("mine"));
    await settleTurn(ai, turn(id, 1));
    const before = await ai.findConversation({ conversationId: id, userId: user });
    assert.equal(await ai.amendConversation({ conversationId: id, userId: 8 }, { title: "theirs" }), null);
    assert.equal(await ai.dropConversation({ conversationId: id, userId: 8 }), false);
    assert.deepEqual(await ai.findConversation({ conversationId: id, userId: user }), before);
    assert.equal((await messagesOf(ai, id)).length, 2);
  },

  "a conversation has the turns of its user only, and for its user only": async ({ storage: { ai } }) => {
    const { id } = await ai.appendConversation(conversation("mine"));
    for (const userId of [user, 8]) await settleTurn(ai, { ...turn(id, userId), userId });
    assert.equal(await ai.pageTurns({ conversationId: id, userId: 8, before: null, limit: 10 }), null);
    assert.equal((await messagesOf(ai, id)).length, 2);
  },

  "title and status can be changed, each for itself": async ({ storage: { ai } }) => {
    const record = await ai.appendConversation(conversation("old"));
    const key = { conversationId: record.id, userId: user };
    assert.deepEqual(await ai.amendConversation(key, { title: "新标题" }), { ...record, title: "新标题" });
    assert.deepEqual(await ai.amendConversation(key, { status: 1 }), { ...record, title: "新标题", status: 1 });
  },

  "an empty change leaves a conversation as it is": async ({ storage: { ai } }) => {
    const { id } = await ai.appendConversation(conversation("old"));
    const key = { conversationId: id, userId: user };
    const amended = await ai.amendConversation(key, { title: "新标题" });
    assert.deepEqual(await ai.amendConversation(key, {}), amended);
  },

  "a changed conversation survives a restart": async ({ storage, reopen }) => {
    const { id } = await storage.ai.appendConversation(conversation("old"));
    const key = { conversationId: id, userId: user };
    const amended = await storage.ai.amendConversation(key, { title: "新标题", status: 1 });
    assert.deepEqual(await (await reopen()).ai.findConversation(key), amended);
  },

  "a turn makes its conversation the latest": async ({ storage: { ai } }) => {
    const [first, second] = [
      await ai.appendConversation(conversation("1")),
      await ai.appendConversation(conversation("2")),
    ];
    await settleTurn(ai, turn(first.id, 1));
    const { list } = await ai.listConversations(user, { offset: 0, limit: 10 });
    assert.deepEqual(idsOf(list), [first.id, second.id]);
  },
});
