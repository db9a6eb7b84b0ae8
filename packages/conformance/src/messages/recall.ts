import assert from "node:assert/strict";
import type { MessageRecall, MessageStore, Recall } from "@telex/core/storage";
import { changeNames } from "../stores/changes.ts";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectRising, upTo, withOutcome } from "../support/expect.ts";
import { appendMessages, digitsOf, fillRoom, idsOf, messageIn, nonceLife, now } from "../support/fixtures.ts";

export const room = 11;

export const md5 = (number: number): string => digitsOf(number, 32);

export const recallOf = (messageId: number, different: Partial<MessageRecall> = {}): MessageRecall => ({
  groupId: room,
  messageId,
  operatorId: "9",
  external: false,
  ownSince: null,
  content: "recalled",
  pinyin: "",
  ...different,
});

/** Recalls a message that was not recalled before. */
export const recall = async (store: MessageStore, messageId: number, different: Partial<MessageRecall> = {}) =>
  withOutcome(await store.recall(recallOf(messageId, different)), "recalled");

const sinceOf = (store: MessageStore, after: number, limit = 100, groupIds = [room]) =>
  store.listRecalls({ groupIds, after, limit });

/** Promises of a storage about recalls. */
export const recallCases: readonly StorageCase[] = defineCases("messages recalled", {
  "a recalled message is empty and stays what it is otherwise": async ({ storage, reopen }) => {
    const network = { account: "bot-1", messageIds: ["m-1"] };
    const nonce = { value: "n", fingerprint: "f", life: nonceLife };
    const append = messageIn(room, "secret", { nonce, network }, { type: 3, botMessageId: "m-1" });
    const [before] = await appendMessages(storage.messages, [append]);
    await fillRoom(storage.messages, room, 1);
    const { message, recall: made } = await recall(storage.messages, before?.id ?? 0);
    assert.deepEqual(message, { ...before, type: 0, content: "recalled", pinyin: "" });
    const { messages } = await reopen();
    assert.deepEqual(await messages.findMessage(room, message.id), message);
    assert.deepEqual((await messages.page({ groupId: room, before: null, limit: 10 })).messages[1], message);
    assert.deepEqual((await messages.listSince({ groupIds: [room], after: 0, limit: 9, bytes: 999 }))?.[0], message);
    assert.deepEqual(await messages.findNetworkMessage({ account: "bot-1", groupId: room, messageId: "m-1" }), message);
    assert.deepEqual(await messages.append(append), { outcome: "repeated", message });
    assert.deepEqual(await sinceOf(messages, 0), [made]);
  },

  "a recall has an id above all messages before, and none after it gets that": async ({ storage, reopen }) => {
    const stored = await fillRoom(storage.messages, room, 3);
    const first = await recall(storage.messages, stored[0]?.id ?? 0);
    const { messages } = await reopen();
    const [next] = await fillRoom(messages, room, 1);
    const second = await recall(messages, stored[1]?.id ?? 0);
    expectRising([...idsOf(stored), first.recall.id, next?.id ?? 0, second.recall.id], "The ids");
    assert.equal(next?.seq, 4);
  },

  "only the sender may recall, if that is asked, and only in time": async ({ storage: { messages } }) => {
    const stored = await appendMessages(messages, [
      messageIn(room, "own"),
      messageIn(room, "of a network", {}, { external: true }),
      messageIn(room, "of another", {}, { userId: "8" }),
    ]);
    const [own, external, another] = idsOf(stored);
    const outcomeOf = async (messageId = 0, ownSince = now, groupId = room) =>
      (await messages.recall(recallOf(messageId, { groupId, operatorId: "7", ownSince }))).outcome;
    assert.equal(await outcomeOf(external), "not_owner");
    assert.equal(await outcomeOf(another), "not_owner");
    assert.equal(await outcomeOf(another, now + 1), "not_owner");
    assert.equal(await outcomeOf(own, now + 1), "too_late");
    assert.equal(await outcomeOf(own, now, room + 1), "missing");
    assert.equal(await outcomeOf(Number.MAX_SAFE_INTEGER), "missing");
    assert.deepEqual(
      await Promise.all(stored.map(({ id }) => messages.findMessage(room, id))),
      stored,
      "A refused recall changed something.",
    );
    assert.equal(await outcomeOf(own), "recalled");
    assert.equal(await outcomeOf(own, now + 1), "repeated");
    assert.equal((await recall(messages, another ?? 0)).message.content, "recalled");
  },

  "a message of another user stays theirs after its recall": async ({ storage: { messages } }) => {
    const [message] = await fillRoom(messages, room, 1);
    await recall(messages, message?.id ?? 0);
    const foreign = recallOf(message?.id ?? 0, { operatorId: "8", ownSince: now });
    assert.deepEqual(await messages.recall(foreign), { outcome: "not_owner" });
  },

  "of 20 simultaneous recalls of a message exactly one recalls": async ({ storage, race }) => {
    const [message] = await fillRoom(storage.messages, room, 1);
    const results = await race(20, ({ messages }, caller) =>
      messages.recall(recallOf(message?.id ?? 0, { operatorId: String(caller) })),
    );
    assert.deepEqual(countOutcomes(results), { recalled: 1, repeated: 19 });
    const [made, ...others] = (await sinceOf(storage.messages, 0)) ?? [];
    assert.deepEqual(others, []);
    for (const result of results) if ("recall" in result) assert.deepEqual(result.recall, made);
  },

  "recalls are listed by id, or null if they are too many": async ({ storage: { messages } }) => {
    const appends = upTo(12).map((number) => messageIn(room + (number % 3), `message ${number}`));
    const stored = await appendMessages(messages, appends);
    const made: Recall[] = [];
    for (const { id, groupId } of stored.toReversed())
      made.push((await recall(messages, id, { groupId, operatorId: null, external: true })).recall);
    for (const groupIds of [[room], [room + 2, room], [room, room + 1, room + 2], [99], []]) {
      for (const after of [0, made[3]?.id ?? 0, made[11]?.id ?? 0]) {
        for (const limit of [0, 3, 8, 100]) {
          const missed = made.filter(({ groupId, id }) => groupIds.includes(groupId) && id > after);
          assert.deepEqual(await sinceOf(messages, after, limit, groupIds), missed.length > limit ? null : missed);
        }
      }
    }
  },

  "a recall reports a change, a repeat does not": async ({ storage: { messages, changes } }) => {
    const [message] = await fillRoom(messages, room, 1);
    const { recall: made } = await recall(messages, message?.id ?? 0);
    await messages.recall(recallOf(message?.id ?? 0));
    assert.deepEqual(await changeNames(changes, 0), [`recall ${room}/${made.id}`]);
  },

  "a recall does not move markers, and a recalled message counts as before": async ({ storage: { messages } }) => {
    const stored = await fillRoom(messages, room, 3);
    await recall(messages, stored[2]?.id ?? 0, { operatorId: "8" });
    const reading = (await messages.findReadings(8, [room])).get(room);
    assert.deepEqual([reading?.unread, reading?.newest?.content], [3, "recalled"]);
  },
});
