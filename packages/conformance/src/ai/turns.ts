import assert from "node:assert/strict";
import type { AiStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectRising } from "../support/expect.ts";
import { idsOf, now, upload } from "../support/fixtures.ts";
import { settleTurn } from "./settle-turn.ts";
import { user, conversation, turn, messagesOf } from "./conversation-kit.ts";

const saidIn = async (ai: AiStore, id: number): Promise<readonly string[]> =>
  (await messagesOf(ai, id)).toReversed().map(({ content }) => content);

/** The words of the turn of a caller. */
const bothOf = (caller: number): readonly string[] => [`问 ${caller + 10}`, `答 ${caller + 10}`];

/** Two conversations with four turns each, and the ids of the second question and of the third answer. */
async function fourTurns(ai: AiStore) {
  const { id } = await ai.appendConversation(conversation("chat"));
  const { id: other } = await ai.appendConversation(conversation("other"));
  for (const number of [1, 2, 3, 4]) for (const one of [id, other]) await settleTurn(ai, turn(one, number));
  const ids = idsOf((await messagesOf(ai, id)).toReversed());
  return { id, other, first: ids[2] ?? 0, last: ids[5] ?? 0 };
}

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
    const both = { conversationId: record.id, uses: null, files: null };
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

  "a turn removes the messages that it replaces; those before, after and in other conversations stay": async (
    scene,
  ) => {
    const { id, other, first, last } = await fourTurns(scene.storage.ai);
    await settleTurn(scene.storage.ai, { ...turn(id, 5), replaces: { from: first, to: last } });
    const { ai } = await scene.reopen();
    assert.deepEqual(await saidIn(ai, id), ["问 1", "答 1", "问 4", "答 4", "问 5", "答 5"]);
    assert.deepEqual(await saidIn(ai, other), ["问 1", "答 1", "问 2", "答 2", "问 3", "答 3", "问 4", "答 4"]);
    await settleTurn(ai, { ...turn(id, 6), userId: user + 1, replaces: { from: 0, to: last + 1000 } });
    assert.equal((await messagesOf(ai, id)).length, 6);
  },

  "of simultaneous turns that replace the same messages each is kept": async ({ storage, race }) => {
    const { id, first, last } = await fourTurns(storage.ai);
    const replaces = { from: first, to: last };
    await race(8, ({ ai }, caller) => settleTurn(ai, { ...turn(id, caller + 10), replaces }));
    const said = await saidIn(storage.ai, id);
    const expected = ["问 1", "答 1", "问 4", "答 4", ...[0, 1, 2, 3, 4, 5, 6, 7].flatMap(bothOf)];
    assert.deepEqual(said.toSorted(), expected.toSorted());
  },

  "the files of a question are in use until it is replaced or its conversation is deleted": async (scene) => {
    const { storage, reopen } = scene;
    const { id } = await storage.ai.appendConversation(conversation("chat"));
    const put = upload(1);
    await storage.bucket.putFile(put);
    const { md5, size, mime, ext } = put.file;
    const files = JSON.stringify([{ md5, name: "茶.txt", size, mime, ext }]);
    const isUsed = async (): Promise<boolean> => (await storage.bucket.findFile(md5))?.usedAt !== null;
    await settleTurn(storage.ai, { ...turn(id, 1), files });
    assert.equal(await isUsed(), true);
    const [, question] = await messagesOf(storage.ai, id);
    assert.equal(question?.files, files);
    await settleTurn(storage.ai, { ...turn(id, 2), replaces: { from: question.id, to: question.id + 1 } });
    assert.equal(await isUsed(), false);
    await settleTurn(storage.ai, { ...turn(id, 3), files });
    await settleTurn(storage.ai, { ...turn(id, 4), files });
    await storage.ai.dropConversation({ conversationId: id, userId: user });
    assert.equal((await (await reopen()).bucket.findFile(md5))?.usedAt, null);
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
