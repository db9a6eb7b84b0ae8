import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectOutcome, upTo } from "../support/expect.ts";
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
    assert.deepEqual(
      [await fail(storage.messages, "s-1", "started", "茶"), await fail(storage.messages, "s-2", "waiting")],
      [true, true],
    );
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

  "a message that waits is found, and has failed only once": async ({ storage, reopen }) => {
    await claim(storage.messages, "s-1", { nonce, message: '{"茶":1}' });
    const { limit: _limit, activeSince: _activeSince, ...row } = claimOf("s-1", { message: '{"茶":1}' });
    const { messages } = await reopen();
    const waiting = { ...row, nonce: nonce.value, fingerprint: nonce.fingerprint, state: "waiting" };
    assert.deepEqual(
      [await find(messages, "s-1"), await find(messages, "s-1", row.until), await find(messages, "s-2")],
      [waiting, null, null],
    );
    assert.equal(await fail(messages, "s-1", "started"), false);
    assert.equal(await fail(messages, "s-1", "waiting"), true);
    assert.equal(await fail(messages, "s-1", "waiting", "again"), false);
    assert.equal(await fail(messages, "s-2", "waiting"), false);
    assert.deepEqual([(await find(messages, "s-1"))?.message, await start(messages, "s-1")], ["no", false]);
  },

  "a message that has started does not fail as one that waits": async ({ storage: { messages } }) => {
    await claim(messages, "s-1", { nonce });
    await start(messages, "s-1", now + 5);
    assert.equal(await fail(messages, "s-1", "waiting"), false);
    const row = await find(messages, "s-1");
    assert.deepEqual([row?.state, row?.at, row?.until], ["started", now + 5, later]);
    assert.deepEqual(await messages.claimSend(claimOf("s-2", { nonce })), inOutbox("started", "s-1"));
  },

  "of 20 that start or fail one message exactly one does": async ({ storage, raceServers }) => {
    await claim(storage.messages, "s-1");
    const done = await raceServers(20, ({ messages }, caller) =>
      caller % 2 === 0 ? start(messages, "s-1") : fail(messages, "s-1", "waiting"),
    );
    assert.equal(done.filter(Boolean).length, 1);
  },

  "messages that wait are kept as long as somebody asks for that": async ({ storage: { messages } }) => {
    for (const number of upTo(4)) await claim(messages, `s-${number}`, { until: now + 10 });
    await start(messages, "s-2");
    const touch = (ids: readonly string[], at: number, until: number) => messages.touchSends({ ids, now: at, until });
    await touch(["s-1", "s-2", "s-3", "unknown"], now + 9, now + 20);
    await touch(["s-3"], now + 9, now + 15);
    await touch(["s-4"], now + 10, now + 20);
    const rows = await messages.listSends({ ids: ["s-1", "s-2", "s-3", "s-4"], now });
    assert.deepEqual(
      rows.toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ until }) => until),
      [now + 20, later, now + 20, now + 10],
    );
    await touch(["s-1"], now + 20, later);
    assert.equal(await start(messages, "s-1", now + 20), false);
  },

  "the next message of a room is the one with the smallest id": async ({ storage: { messages } }) => {
    await claim(messages, "s-3");
    await claim(messages, "s-1");
    await claim(messages, "s-2", { at: now - 5, until: now + 5 });
    await claim(messages, "s-0", { groupId: room + 1 });
    await claim(messages, "s-0-other", { account: "bot-2" });
    assert.deepEqual([await next(messages), await next(messages, now, room + 1)], ["s-1", "s-0"]);
    await start(messages, "s-1");
    assert.deepEqual([await next(messages), await next(messages, now + 5)], ["s-2", "s-3"]);
    await fail(messages, "s-3", "waiting");
    assert.equal(await next(messages, now + 5), null);
  },

  "rooms in which messages wait are listed once": async ({ storage: { messages } }) => {
    for (const id of ["s-1", "s-2"]) await claim(messages, id);
    await claim(messages, "s-3", { groupId: room + 1 });
    await claim(messages, "s-4", { account: "bot-2", until: now + 5 });
    await claim(messages, "s-5", { account: "bot-3" });
    await messages.startSend({ account: "bot-3", id: "s-5", now, until: later });
    const rooms = async (at: number) =>
      (await messages.listWaitingRooms({ now: at })).map(({ account, groupId }) => `${account} ${groupId}`).toSorted();
    assert.deepEqual(await rooms(now), ["bot-1 11", "bot-1 12", "bot-2 11"]);
    assert.deepEqual(await rooms(now + 5), ["bot-1 11", "bot-1 12"]);
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
