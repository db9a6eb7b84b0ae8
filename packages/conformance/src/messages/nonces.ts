import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectOutcome, upTo } from "../support/expect.ts";
import { appendMessages, idsOf, messageIn, nonceLife, now } from "../support/fixtures.ts";
import { room, nonce, once, listAll } from "./messages.ts";

/** Promises about the nonces of messages. */
export const nonceCases: readonly StorageCase[] = defineCases("messages", {
  "a repeated nonce stores nothing and answers with the first message": async ({ storage, reopen }) => {
    const [message] = await appendMessages(storage.messages, [once]);
    const { messages } = await reopen();
    assert.deepEqual(await messages.append(once), { outcome: "repeated", message });
    assert.deepEqual(await listAll(messages), [message]);
  },

  "a nonce counts until the end of its life, whatever the content": async ({ storage: { messages } }) => {
    const [message] = await appendMessages(messages, [once]);
    const late = messageIn(room, "twice", { nonce: nonce() }, { receiveTime: now + nonceLife - 1 });
    assert.deepEqual(await messages.append(late), { outcome: "repeated", message });
  },

  "a nonce with another fingerprint is a conflict and stores nothing": async ({ storage: { messages } }) => {
    await appendMessages(messages, [once]);
    expectOutcome(await messages.append({ ...once, nonce: nonce("other") }), "nonce_conflict");
    assert.equal((await listAll(messages)).length, 1);
  },

  "a nonce counts for its sender and room only": async ({ storage: { messages } }) => {
    const stored = await appendMessages(messages, [
      messageIn(room, "a", { nonce: nonce("a") }),
      messageIn(room + 1, "b", { nonce: nonce("b") }),
      messageIn(room, "c", { nonce: nonce("c") }, { userId: "8" }),
      messageIn(room, "d", { nonce: nonce("d", "N") }),
      messageIn(room, "ext", { nonce: nonce("ext") }, { external: true }),
      messageIn(room, "e"),
      messageIn(room, "e"),
    ]);
    assert.equal(new Set(idsOf(stored)).size, 7);
  },

  "a nonce counts again after its life": async ({ storage: { messages } }) => {
    await appendMessages(messages, [once]);
    const at = (receiveTime: number) => messageIn(room, "second", { nonce: nonce("second") }, { receiveTime });
    const [message] = await appendMessages(messages, [at(now + nonceLife + 1)]);
    assert.deepEqual(await messages.append(at(now + 2 * nonceLife)), { outcome: "repeated", message });
  },

  "of 20 simultaneous messages with one nonce exactly one is stored": async ({ storage, race }) => {
    const results = await race(20, ({ messages }) => messages.append(once));
    assert.deepEqual(countOutcomes(results), { appended: 1, repeated: 19 });
    const ids = results.flatMap((result) => ("message" in result ? [result.message.id] : []));
    assert.deepEqual([...new Set(ids)], idsOf(await listAll(storage.messages)));
  },

  "of 20 simultaneous contents with one nonce exactly one is stored": async ({ storage, race }) => {
    const contents = upTo(20).map((number) => messageIn(room, `${number}`, { nonce: nonce(`${number}`) }));
    const results = await race(20, ({ messages }, caller) => messages.append(contents[caller] ?? once));
    assert.deepEqual(countOutcomes(results), { appended: 1, nonce_conflict: 19 });
    assert.equal((await listAll(storage.messages)).length, 1);
  },
});
