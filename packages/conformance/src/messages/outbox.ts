import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectOutcome, upTo } from "../support/expect.ts";
import { appendMessages, claimOf, messageIn, now } from "../support/fixtures.ts";
import { claim, conflicting, fail, later, network, nonce, room, send, sent, start, startedIds } from "./outbox-kit.ts";

/** The promises of messages on their way to an external network. */
export const outboxCases: readonly StorageCase[] = defineCases("outbox", {
  "a message that waits can be started once": async ({ storage, reopen }) => {
    await claim(storage.messages, "s-1");
    await claim(storage.messages, "s-2", { message: '{"茶":1}' });
    assert.deepEqual(await startedIds(storage.messages), []);
    assert.equal(await start(storage.messages, "s-2", now + 5), true);
    const { messages } = await reopen();
    assert.equal(await start(messages, "s-2"), false);
    assert.equal(await start(messages, "unknown"), false);
    const { limit: _limit, activeSince: _activeSince, ...row } = claimOf("s-2", { message: '{"茶":1}' });
    assert.deepEqual(await messages.listStartedSends({ account: "bot-1", groupId: room, now }), [
      { ...row, fingerprint: "", state: "started", at: now + 5, until: later },
    ]);
  },

  "what has ended is deleted, also of an account that never sends again": async ({
    storage: { messages, records },
  }) => {
    await claim(messages, "s-1", { account: "bot-2", until: now + 10 });
    await claim(messages, "s-2", { at: now + 10, until: later });
    assert.equal(await records.count("outbox"), 1);
  },

  "what is not stored stays in the outbox": async ({ storage: { messages } }) => {
    await send(messages, "s-1");
    const missing = messageIn(room, "a", { sent: sent("s-1"), files: ["0".repeat(32)] });
    expectOutcome(await messages.append(missing), "file_missing");
    assert.deepEqual(await startedIds(messages), ["s-1"]);
  },

  "an account has as many messages as are allowed": async ({ storage: { messages } }) => {
    for (const number of upTo(3)) await claim(messages, `s-${number}`, { limit: 3 });
    assert.deepEqual(await messages.claimSend(claimOf("more", { limit: 3 })), { outcome: "full" });
    assert.equal(await start(messages, "more"), false);
    await claim(messages, "other", { limit: 3, account: "bot-2" });
    await start(messages, "s-1");
    assert.deepEqual(await messages.claimSend(claimOf("more", { limit: 3, nonce })), { outcome: "full" });
    await fail(messages, "s-1", "started");
    await claim(messages, "more", { limit: 3 });
  },

  "what has started long ago, or is partly there, does not count": async ({ storage: { messages } }) => {
    for (const number of upTo(3)) await claim(messages, `s-${number}`, { limit: 3 });
    await start(messages, "s-1", now + 5);
    await start(messages, "s-2", now + 6);
    assert.deepEqual(await messages.claimSend(claimOf("more", { limit: 3, activeSince: now + 5 })), {
      outcome: "full",
    });
    await claim(messages, "more", { limit: 3, activeSince: now + 6 });
    await appendMessages(messages, [messageIn(room, "part", { network, sent: sent("s-2", true) })]);
    await claim(messages, "another", { limit: 3, activeSince: now + 6 });
    assert.deepEqual(await messages.claimSend(claimOf("s-9", { limit: 3, activeSince: now + 6 })), { outcome: "full" });
  },

  "what has had its time counts as gone": async ({ storage: { messages } }) => {
    await claim(messages, "s-1", { nonce, limit: 1, until: now + 10 });
    assert.equal(await start(messages, "s-1", now + 10), false);
    await claim(messages, "s-2", { nonce: conflicting, limit: 1, at: now + 10, until: now + 20 });
    assert.equal(await start(messages, "s-2", now + 19), true);
    assert.deepEqual(await startedIds(messages, "bot-1", room, later - 1), ["s-2"]);
    assert.deepEqual(await startedIds(messages, "bot-1", room, later), []);
    await claim(messages, "s-3", { nonce, limit: 1, at: later, until: later + 10 });
  },

  "messages are listed by account and room, in the order of their starts": async ({ storage: { messages } }) => {
    for (const number of upTo(3)) await claim(messages, `s-${number}`);
    await claim(messages, "other-room", { groupId: room + 1 });
    await claim(messages, "other-account", { account: "bot-2" });
    for (const [index, id] of ["s-2", "other-room", "s-1"].entries()) await start(messages, id, now + index);
    await messages.startSend({ account: "bot-2", id: "other-account", now, until: later });
    assert.deepEqual(await startedIds(messages), ["s-2", "s-1"]);
    assert.deepEqual(await startedIds(messages, "bot-1", room + 1), ["other-room"]);
    assert.deepEqual(await startedIds(messages, "bot-2"), ["other-account"]);
  },

  "of 20 simultaneous claims with one nonce one can start": async ({ storage, race }) => {
    const claims = await race(20, ({ messages }, caller) => messages.claimSend(claimOf(`s-${caller}`, { nonce })));
    assert.deepEqual(countOutcomes(claims), { claimed: 1, waiting: 19 });
    const firsts = claims.flatMap((claimed) => ("first" in claimed ? [claimed.first.id] : []));
    assert.equal(new Set(firsts).size, 1);
    const started = await race(20, ({ messages }, caller) => start(messages, `s-${caller}`));
    assert.equal(started.filter(Boolean).length, 1);
    const again = await race(20, ({ messages }, caller) => messages.claimSend(claimOf(`t-${caller}`, { nonce })));
    assert.deepEqual(countOutcomes(again), { started: 20 });
    assert.equal((await startedIds(storage.messages)).length, 1);
  },

  "of 20 that start one message exactly one does": async ({ storage, race }) => {
    await claim(storage.messages, "s-1");
    const started = await race(20, ({ messages }) => start(messages, "s-1"));
    assert.equal(started.filter(Boolean).length, 1);
  },

  "of 20 simultaneous claims no more are in the outbox than are allowed": async ({ race }) => {
    const results = await race(20, ({ messages }, caller) => messages.claimSend(claimOf(`s-${caller}`, { limit: 5 })));
    assert.deepEqual(countOutcomes(results), { claimed: 5, full: 15 });
  },
});
