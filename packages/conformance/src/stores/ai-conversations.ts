import assert from "node:assert/strict";
import type { AiStore, ConversationMessageRecord, ConversationRecord, Turn } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectId, expectRising } from "../support/expect.ts";
import { idsOf, now } from "../support/fixtures.ts";
import { settleTurn } from "./settle-turn.ts";
import { createRandom } from "@telex/core/testing";

const user = 7;

const conversation = (title: string, different: Partial<ConversationRecord> = {}): Omit<ConversationRecord, "id"> => ({
  userId: user,
  title,
  status: 0,
  defaultModel: "echo",
  lastMessage: now,
  totalToken: 0,
  ...different,
});

const turn = (conversationId: number, number: number): Turn => ({
  conversationId,
  userId: user,
  model: "echo",
  question: `问 ${number}`,
  answer: `答 ${number}`,
  finishReason: "stop",
  tokens: number,
  askedAt: now + number * 10,
  answeredAt: now + number * 10 + 5,
});

async function messagesOf(store: AiStore, conversationId: number): Promise<readonly ConversationMessageRecord[]> {
  const page = await store.pageTurns({ conversationId, userId: user, before: null, limit: 1000 });
  return page?.messages ?? [];
}

/** The key of a conversation that has had a turn and was dropped. */
async function dropped(store: AiStore): Promise<{ conversationId: number; userId: number }> {
  const { id: conversationId } = await store.appendConversation(conversation("chat"));
  await settleTurn(store, turn(conversationId, 1));
  await store.dropConversation({ conversationId, userId: user });
  return { conversationId, userId: user };
}

/** Promises of a storage about conversations. */
export const conversationCases: readonly StorageCase[] = defineCases("ai conversations", {
  "a conversation is kept as it was given, under an id of its own": async ({ storage: { ai } }) => {
    const given = conversation("标题 \u{1F4AC}", { status: 1, defaultModel: "m", totalToken: 99 });
    const record = await ai.appendConversation(given);
    expectId(record.id);
    assert.deepEqual(record, { ...given, id: record.id });
  },

  "conversations survive a restart": async ({ storage, reopen }) => {
    const given = conversation("标题 \u{1F4AC}", { status: 1, defaultModel: "m", totalToken: 99 });
    const record = await storage.ai.appendConversation(given);
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

  "a changed conversation stays as it is without another change": async ({ storage: { ai } }) => {
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

  "a turn adds a question and its answer, tokens, last use and model": async ({ storage, reopen }) => {
    const record = await storage.ai.appendConversation(conversation("chat", { totalToken: 5 }));
    await settleTurn(storage.ai, turn(record.id, 1));
    await settleTurn(storage.ai, { ...turn(record.id, 2), model: "other" });
    const { ai } = await reopen();
    const found = await ai.findConversation({ conversationId: record.id, userId: user });
    assert.deepEqual(found, { ...record, totalToken: 8, lastMessage: now + 25, defaultModel: "other" });
    const messages = (await messagesOf(ai, record.id)).toReversed();
    expectRising(idsOf(messages), "The ids of a conversation's messages");
    const both = { conversationId: record.id };
    const expected = [
      { ...both, role: "user", content: "问 1", model: "echo", finishReason: null, createdAt: now + 10 },
      { ...both, role: "assistant", content: "答 1", model: "echo", finishReason: "stop", createdAt: now + 15 },
      { ...both, role: "user", content: "问 2", model: "other", finishReason: null, createdAt: now + 20 },
      { ...both, role: "assistant", content: "答 2", model: "other", finishReason: "stop", createdAt: now + 25 },
    ];
    assert.deepEqual(
      messages,
      expected.map((message, index) => ({ ...message, id: messages[index]?.id })),
    );
  },

  "a page of messages goes down from its cursor, newest first": async ({ storage: { ai } }) => {
    const { id } = await ai.appendConversation(conversation("chat"));
    const other = await ai.appendConversation(conversation("other"));
    for (let number = 1; number <= 6; number += 1) {
      await settleTurn(ai, turn(id, number));
      await settleTurn(ai, turn(other.id, number));
    }
    const all = await messagesOf(ai, id);
    assert.equal(all.length, 12);
    for (const before of [null, 0, ...idsOf(all), (all[0]?.id ?? 0) + 1000]) {
      const below = all.filter((message) => before === null || message.id < before);
      for (const limit of [1, 5, 12, 50]) {
        const page = await ai.pageTurns({ conversationId: id, userId: user, before, limit });
        const expected = { messages: below.slice(0, limit), more: below.length > limit };
        assert.deepEqual(page, expected, `before ${before}, limit ${limit}`);
      }
    }
  },

  "simultaneous turns are all kept, and all their tokens": async ({ storage, race }) => {
    const { id } = await storage.ai.appendConversation(conversation("chat"));
    await race(15, ({ ai }, caller) => settleTurn(ai, turn(id, caller + 1)));
    assert.equal((await storage.ai.findConversation({ conversationId: id, userId: user }))?.totalToken, 120);
    assert.equal((await messagesOf(storage.ai, id)).length, 30);
  },

  "of simultaneous turns each question is before its answer": async ({ storage, race }) => {
    const { id } = await storage.ai.appendConversation(conversation("chat"));
    await race(15, ({ ai }, caller) => settleTurn(ai, turn(id, caller + 1)));
    const messages = (await messagesOf(storage.ai, id)).toReversed();
    expectRising(idsOf(messages), "The ids of a conversation's messages");
    for (const [index, { role, content }] of messages.entries()) {
      if (role === "user") assert.equal(messages[index + 1]?.content, content.replace("问", "答"));
    }
  },

  "a conversation is dropped once, and no other with it": async ({ storage: { ai } }) => {
    const { id } = await ai.appendConversation(conversation("chat"));
    const kept = await ai.appendConversation(conversation("kept"));
    assert.equal(await ai.dropConversation({ conversationId: id, userId: user }), true);
    assert.equal(await ai.dropConversation({ conversationId: id, userId: user }), false);
    assert.deepEqual(await ai.listConversations(user, { offset: 0, limit: 10 }), { total: 1, list: [kept] });
  },

  "a dropped conversation is gone with its messages": async ({ storage, reopen }) => {
    const key = await dropped(storage.ai);
    const { ai } = await reopen();
    assert.deepEqual(
      [await ai.findConversation(key), await ai.amendConversation(key, { title: "back" })],
      [null, null],
    );
    assert.equal(await ai.pageTurns({ ...key, before: null, limit: 10 }), null);
  },

  "a turn does not bring a dropped conversation back": async ({ storage: { ai } }) => {
    const key = await dropped(ai);
    await settleTurn(ai, turn(key.conversationId, 2));
    assert.equal(await ai.pageTurns({ ...key, before: null, limit: 10 }), null);
    assert.deepEqual(await ai.listConversations(user, { offset: 0, limit: 10 }), { total: 0, list: [] });
  },

  "the id of a dropped conversation is not given again": async ({ storage, reopen }) => {
    const { conversationId } = await dropped(storage.ai);
    const { id } = await (await reopen()).ai.appendConversation(conversation("new"));
    expectRising([conversationId, id], "The ids of conversations");
  },

  "of 10 that drop one conversation simultaneously exactly one does": async ({ storage, race }) => {
    const { id } = await storage.ai.appendConversation(conversation("chat"));
    const drops = await race(10, ({ ai }) => ai.dropConversation({ conversationId: id, userId: user }));
    assert.equal(drops.filter(Boolean).length, 1);
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
