import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectRising } from "../support/expect.ts";
import { settleTurn } from "./settle-turn.ts";
import { user, conversation, turn, dropped } from "./conversation-kit.ts";

/** Promises about conversations that users drop. */
export const dropCases: readonly StorageCase[] = defineCases("ai conversations", {
  "a conversation is dropped once, and no other with it": async ({ storage: { ai } }) => {
    const { id } = await ai.appendConversation(conversation("chat"));
    const remaining = await ai.appendConversation(conversation("kept"));
    assert.equal(await ai.dropConversation({ conversationId: id, userId: user }), true);
    assert.equal(await ai.dropConversation({ conversationId: id, userId: user }), false);
    assert.deepEqual(await ai.listConversations(user, { offset: 0, limit: 10 }), { total: 1, list: [remaining] });
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
});
