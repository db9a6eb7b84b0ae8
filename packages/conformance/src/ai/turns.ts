import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectRising } from "../support/expect.ts";
import { idsOf, now } from "../support/fixtures.ts";
import { settleTurn } from "./settle-turn.ts";
import { user, conversation, turn, messagesOf } from "./conversation-kit.ts";

/** Promises about the turns of a conversation. */
export const turnCases: readonly StorageCase[] = defineCases("ai conversations", {
  "a turn adds a question and its answer, tokens, last use and model": async ({ storage, reopen }) => {
    const record = await storage.ai.appendConversation(conversation("chat", { totalToken: 5 }));
    await settleTurn(storage.ai, turn(record.id, 1));
    await settleTurn(storage.ai, { ...turn(record.id, 2), model: "other", uses: "[2]" });
    const { ai } = await reopen();
    const stored = await ai.findConversation({ conversationId: record.id, userId: user });
    assert.deepEqual(stored, { ...record, totalToken: 8, lastMessage: now + 25, defaultModel: "other" });
    const messages = (await messagesOf(ai, record.id)).toReversed();
    expectRising(idsOf(messages), "The ids of a conversation's messages");
    const both = { conversationId: record.id, uses: null };
    const expected = [
      { ...both, role: "user", content: "问 1", model: "echo", finishReason: null, createdAt: now + 10 },
      { ...both, role: "assistant", content: "答 1", model: "echo", finishReason: "stop", createdAt: now + 15 },
      { ...both, role: "user", content: "问 2", model: "other", finishReason: null, createdAt: now + 20 },
      {
        ...both,
        role: "assistant",
        content: "答 2",
        model: "other",
        finishReason: "stop",
        uses: "[2]",
        createdAt: now + 25,
      },
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
});
