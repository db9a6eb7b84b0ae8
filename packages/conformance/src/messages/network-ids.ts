import assert from "node:assert/strict";
import type { NetworkId } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { appendMessages, idsOf, nonceLife } from "../support/fixtures.ts";
import { room, known, listAll, find } from "./network.ts";
import { recall } from "./recall.ts";

const byMessageId = (one: NetworkId, other: NetworkId): number => one.messageId.localeCompare(other.messageId);

/** Promises about the ids that a network gives to a message. */
export const networkIdCases: readonly StorageCase[] = defineCases("messages of networks", {
  "a message may have several ids, and a repeat under each of them is a repeat": async ({ storage, reopen }) => {
    const [first] = await appendMessages(storage.messages, [known("text and file", ["m-1", "m-2"])]);
    const { messages } = await reopen();
    for (const ids of [["m-1"], ["m-2"], ["m-9", "m-2"]])
      assert.deepEqual(await messages.append(known("echo", ids)), { outcome: "repeated", message: first });
    assert.equal((await listAll(messages)).length, 1);
  },

  "ids that come with a repeat are known from then on": async ({ storage, reopen }) => {
    const nonce = { value: "n", fingerprint: "f", life: nonceLife };
    const [first] = await appendMessages(storage.messages, [{ ...known("once", ["m-1"]), nonce }]);
    await storage.messages.append(known("echo", ["m-1", "m-2"]));
    await storage.messages.append({ ...known("once", ["m-3"]), nonce });
    const { messages } = await reopen();
    for (const id of ["m-1", "m-2", "m-3"]) assert.deepEqual(await find(messages, id), first, id);
    assert.deepEqual(await messages.append(known("echo", ["m-3"])), { outcome: "repeated", message: first });
  },

  "an id stays with the message that had it first": async ({ storage: { messages } }) => {
    const [first, second] = await appendMessages(messages, [known("one", ["m-1"]), known("two", ["m-2"])]);
    assert.deepEqual(await messages.append(known("both", ["m-2", "m-1"])), { outcome: "repeated", message: second });
    assert.deepEqual(await find(messages, "m-1"), first);
    assert.deepEqual(await find(messages, "m-2"), second);
  },

  "a message is found by its account and id only": async ({ storage: { messages } }) => {
    const [first] = await appendMessages(messages, [known("hi", ["m-1"])]);
    assert.deepEqual(await find(messages, "m-1"), first);
    assert.equal(await find(messages, "m-1", "bot-2"), null);
    assert.equal(await find(messages, "M-1"), null);
    assert.equal(await find(messages, ""), null);
  },

  "every id of a message is listed, also after its recall": async ({ storage, reopen }) => {
    const appends = [known("text and file", ["m-1", "m-2"]), known("other", ["x"])];
    const stored = await appendMessages(storage.messages, appends);
    await storage.messages.append(known("echo", ["m-2", "m-0"]));
    await storage.messages.append(known("echo", ["x", "m-1"]));
    const { messages } = await reopen();
    const idsAt = async (index: number, groupId = room) =>
      (await messages.listNetworkIds(groupId, idsOf(stored)[index] ?? 0)).toSorted(byMessageId);
    const all = ["m-0", "m-1", "m-2"].map((messageId) => ({ account: "bot-1", messageId }));
    assert.deepEqual(await idsAt(0), all);
    assert.deepEqual(await idsAt(1), [{ account: "bot-1", messageId: "x" }]);
    assert.deepEqual(await idsAt(0, room + 1), []);
    assert.deepEqual(await messages.listNetworkIds(room, Number.MAX_SAFE_INTEGER), []);
    await recall(messages, idsOf(stored)[0] ?? 0, { groupId: room });
    assert.deepEqual(await idsAt(0), all);
  },
});
