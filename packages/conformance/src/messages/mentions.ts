import assert from "node:assert/strict";
import type { MessageStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { appendMessages, idsOf, messageIn } from "../support/fixtures.ts";
import { recall, room } from "./recall.ts";

const countOf = async (store: MessageStore, userId: number, groupId = room): Promise<number> =>
  (await store.countMentions(userId, [groupId])).get(groupId) ?? 0;

const mentioning = (mentions: string | null, groupId = room) => messageIn(groupId, "text", {}, { mentions });

/** Promises of a storage about messages that mention users. */
export const mentionCases: readonly StorageCase[] = defineCases("messages mentions", {
  "unread messages that mention a user or all members are counted": async ({ storage, reopen }) => {
    const rows = [" 5 ", null, " 55 5 ", " * ", " 15 ", " 51 "].map((mentions) => mentioning(mentions));
    const stored = await appendMessages(storage.messages, [...rows, mentioning(" 5 ", room + 1)]);
    const { messages } = await reopen();
    assert.deepEqual(await Promise.all([5, 55, 15, 6].map((userId) => countOf(messages, userId))), [3, 2, 2, 1]);
    assert.equal(await countOf(messages, 5, room + 1), 1);
    assert.equal(await countOf(messages, 5, room + 2), 0);
    assert.deepEqual(await messages.countMentions(5, []), new Map());
    await messages.markRead({ groupId: room, userId: 5, upTo: idsOf(stored)[0] ?? 0 });
    assert.deepEqual([await countOf(messages, 5), await countOf(messages, 55)], [2, 2]);
  },

  "a recalled message mentions no user, and an edited one those of its new text": async ({ storage: { messages } }) => {
    const [first, second] = await appendMessages(messages, [mentioning(" 5 "), mentioning(" 5 ")]);
    await recall(messages, first?.id ?? 0);
    assert.equal(await countOf(messages, 5), 1);
    const texts = { type: 0 as const, content: "", pinyin: "", mentions: " 6 ", terms: [] };
    await messages.amend({ groupId: room, messageId: second?.id ?? 0, decide: () => ({ texts, extras: null }) });
    assert.deepEqual([await countOf(messages, 5), await countOf(messages, 6)], [0, 1]);
  },
});
