import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { appendMessages, claimOf, messageIn, nonceLife, now } from "../support/fixtures.ts";
import {
  claim,
  conflicting,
  fail,
  find,
  inOutbox,
  later,
  lose,
  network,
  next,
  nonce,
  room,
  send,
  sent,
  start,
  startedIds,
} from "./outbox-kit.ts";

/** Promises about the nonces of messages on their way to a network. */
export const outboxNonceCases: readonly StorageCase[] = defineCases("outbox", {
  "a message that started keeps its nonce": async ({ storage, reopen }) => {
    await send(storage.messages, "s-1", { nonce });
    const { messages } = await reopen();
    assert.deepEqual(await messages.claimSend(claimOf("s-2", { nonce })), inOutbox("started", "s-1"));
    assert.deepEqual(await messages.claimSend(claimOf("s-2", { nonce: conflicting })), { outcome: "nonce_conflict" });
    await claim(messages, "s-2", { nonce, userId: "8" });
    await claim(messages, "s-3", { nonce, groupId: room + 1 });
    assert.equal(await start(messages, "s-4"), false);
    assert.deepEqual(await messages.claimSend(claimOf("s-5", { nonce, account: "bot-2" })), inOutbox("started", "s-1"));
  },

  "a message that waits keeps its place, and a repeat gets that place": async ({ storage: { messages } }) => {
    await claim(messages, "s-1", { nonce, limit: 1 });
    for (const account of ["bot-1", "bot-2"]) {
      const repeat = claimOf("s-2", { nonce, limit: 1, account });
      assert.deepEqual(await messages.claimSend(repeat), inOutbox("waiting", "s-1"));
    }
    const conflict = await messages.claimSend(claimOf("s-2", { nonce: conflicting }));
    assert.deepEqual(conflict, { outcome: "nonce_conflict" });
    assert.equal(await start(messages, "s-2"), false);
    assert.equal(await start(messages, "s-1"), true);
  },

  "a message that failed frees its nonce, and keeps its reason until its time has come": async ({
    storage,
    reopen,
  }) => {
    await send(storage.messages, "s-1", { nonce });
    await claim(storage.messages, "s-2");
    assert.equal(await fail(storage.messages, "s-1", "started", "茶"), true);
    assert.equal(await fail(storage.messages, "s-2", "waiting"), true);
    const { messages } = await reopen();
    const { limit: _limit, activeSince: _activeSince, ...row } = claimOf("s-1");
    const failed = { ...row, nonce: null, fingerprint: "", state: "failed", message: "茶", until: later };
    assert.deepEqual([await find(messages, "s-1"), await find(messages, "s-1", later)], [failed, null]);
    assert.deepEqual([await startedIds(messages), await next(messages)], [[], null]);
    assert.equal(await start(messages, "s-2"), false);
    await claim(messages, "s-3", { nonce: conflicting, limit: 1 });
  },

  "a message with an unknown outcome keeps its nonce and its words": async ({ storage, reopen }) => {
    await send(storage.messages, "s-1", { nonce, message: '{"茶":1}' });
    assert.deepEqual([await lose(storage.messages, "s-1"), await lose(storage.messages, "s-1")], [true, false]);
    assert.equal(await fail(storage.messages, "s-1", "started"), false);
    const { messages } = await reopen();
    const row = await find(messages, "s-1");
    assert.deepEqual([row?.state, row?.message, await startedIds(messages)], ["unknown", '{"茶":1}', ["s-1"]]);
    assert.deepEqual(await messages.claimSend(claimOf("s-2", { nonce })), inOutbox("unknown", "s-1"));
    await claim(messages, "s-2", { limit: 1 });
    const [stored] = await appendMessages(messages, [messageIn(room, "a", { nonce, network, sent: sent("s-1") })]);
    assert.deepEqual([await find(messages, "s-1"), await startedIds(messages)], [null, []]);
    assert.deepEqual(await messages.claimSend(claimOf("s-3", { nonce })), { outcome: "repeated", message: stored });
  },

  "a stored message leaves the outbox, and its nonce answers with it": async ({ storage, reopen }) => {
    await send(storage.messages, "s-1", { nonce });
    const [stored] = await appendMessages(storage.messages, [
      messageIn(room, "a", { nonce, network, sent: sent("s-1") }),
    ]);
    const { messages } = await reopen();
    assert.deepEqual(await startedIds(messages), []);
    assert.deepEqual(await messages.claimSend(claimOf("s-2", { nonce })), { outcome: "repeated", message: stored });
    assert.deepEqual(await messages.claimSend(claimOf("s-2", { nonce: conflicting })), { outcome: "nonce_conflict" });
    await claim(messages, "s-3", { nonce, at: now + nonceLife, until: later });
  },

  "a message of which a part is stored stays, and keeps its nonce": async ({ storage, reopen }) => {
    await send(storage.messages, "s-1", { nonce });
    await appendMessages(storage.messages, [messageIn(room, "part", { network, sent: sent("s-1", true) })]);
    const { messages } = await reopen();
    assert.deepEqual(await startedIds(messages), []);
    assert.deepEqual(await messages.claimSend(claimOf("s-2", { nonce })), inOutbox("partly", "s-1"));
  },

  "a message that the network has told before leaves the outbox, and gets its nonce": async ({ storage, reopen }) => {
    const [first] = await appendMessages(storage.messages, [messageIn(room, "echo", { network }, { userId: "9" })]);
    await send(storage.messages, "s-1", { nonce });
    const again = messageIn(room, "own", { nonce, network, sent: sent("s-1") });
    assert.deepEqual(await storage.messages.append(again), { outcome: "repeated", message: first });
    const { messages } = await reopen();
    assert.deepEqual(await startedIds(messages), []);
    assert.deepEqual(await messages.claimSend(claimOf("s-2", { nonce })), { outcome: "repeated", message: first });
    assert.deepEqual(await messages.append({ ...again, network: null }), { outcome: "repeated", message: first });
  },
});
