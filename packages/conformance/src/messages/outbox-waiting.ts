import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { upTo } from "../support/expect.ts";
import { claimOf, now } from "../support/fixtures.ts";
import { claim, fail, find, inOutbox, later, next, nonce, room, start } from "./outbox-kit.ts";

/** Promises about messages that wait to be sent. */
export const waitingCases: readonly StorageCase[] = defineCases("outbox", {
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

  "messages that wait are kept while a server asks for that": async ({ storage: { messages } }) => {
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
});
