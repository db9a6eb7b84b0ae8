import type { StorageCase } from "../support/case.ts";
import assert from "node:assert/strict";
import { expectRising, sorted } from "../support/expect.ts";
import { fillQueue, idsOf, now, printer, take, takeOrHeld } from "../support/fixtures.ts";
import { defineQueueCases, deliver, undelivered } from "./queue-kit.ts";
import { minute, renew, requeue, other, late } from "./queue-kit.ts";

/** Promises about how long a holder has a device's queue. */
export const holdCases: readonly StorageCase[] = defineQueueCases("teleprinter take", {
  "a renewed hold lasts until its new end": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter, { limit: 2 });
    assert.equal(await renew(teleprinter, "poll-1", now + 2 * minute), true);
    assert.equal(await takeOrHeld(teleprinter, late), "poll-1");
    const later = { holder: "poll-3", now: now + 2 * minute, until: now + 3 * minute };
    assert.deepEqual(await take(teleprinter, later), messages);
  },

  "only the holder renews": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 4);
    assert.equal(await renew(teleprinter, "poll-1", now + 2 * minute), false);
    await take(teleprinter);
    assert.equal(await renew(teleprinter, "poll-2", now + 2 * minute), false);
    assert.equal(await teleprinter.renew({ deviceId: "unknown", holder: "poll-1", until: now + 2 * minute }), false);
    assert.deepEqual(await take(teleprinter, late), messages);
    assert.equal(await renew(teleprinter, "poll-1", now + 9 * minute), false);
    assert.deepEqual(await take(teleprinter, { ...late, now: now + 2 * minute }), messages);
  },

  "when a hold ends, it is renewed or one of 10 polls takes, not both": async ({ storage, raceServers }) => {
    const ids = idsOf(await fillQueue(storage.teleprinter, 5));
    await take(storage.teleprinter);
    const [, ...taken] = await raceServers(11, async ({ teleprinter }, caller) => {
      const longer = now + 3 * minute;
      if (caller > 0) return takeOrHeld(teleprinter, { holder: `late-${caller}`, now: now + minute, until: longer });
      await renew(teleprinter, "poll-1", longer);
      return "";
    });
    const takers = taken.filter((one) => typeof one !== "string");
    const kept = await deliver(storage.teleprinter, "poll-1", ids);
    assert.deepEqual([takers.length, kept.length], takers.length === 0 ? [0, 5] : [1, 0]);
  },

  "texts that are put back are in their old position": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 6);
    await take(teleprinter, { limit: 3 });
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(await take(teleprinter, other), messages);
  },

  "a holder that another one has put back can no longer mark or renew": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter);
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(await deliver(teleprinter, "poll-1", idsOf(messages)), []);
    assert.equal(await renew(teleprinter, "poll-1", now + 2 * minute), false);
    assert.deepEqual(await take(teleprinter, other), messages);
    assert.equal(await takeOrHeld(teleprinter), "poll-2");
  },

  "only its holder can put a queue back": async ({ storage: { teleprinter } }) => {
    await fillQueue(teleprinter, 3);
    await take(teleprinter, { limit: 2 });
    await requeue(teleprinter, "poll-2");
    assert.equal(await takeOrHeld(teleprinter, other), "poll-1");
  },

  "a holder marks only the texts that it names, and each once": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 8));
    await take(teleprinter);
    const named = ids.filter((_, index) => index !== 1 && index !== 5);
    assert.deepEqual(await deliver(teleprinter, "poll-1", named.slice(0, 5)), named.slice(0, 5));
    assert.deepEqual(
      await undelivered(teleprinter),
      ids.filter((id) => !named.slice(0, 5).includes(id)),
    );
    assert.deepEqual(sorted(await deliver(teleprinter, "poll-1", ids)), [ids[1], ids[5], ids[7]]);
    assert.deepEqual(await undelivered(teleprinter), []);
  },

  "delivered texts cannot be put back": async ({ storage: { teleprinter } }) => {
    await fillQueue(teleprinter, 2);
    await deliver(teleprinter, "poll-1", idsOf(await take(teleprinter)));
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(await take(teleprinter, { holder: "poll-3" }), []);
  },

  "polls that take, fail and put back simultaneously lose nothing, and keep the order": async (test) => {
    const { storage, raceServers } = test;
    const messages = await fillQueue(storage.teleprinter, 30);
    const delivered = await raceServers(12, async ({ teleprinter }, caller) => {
      const holder = `poll-${caller}`;
      const taken = await takeOrHeld(teleprinter, { limit: 4, holder });
      if (typeof taken === "string") return [];
      expectRising(idsOf(taken), "The ids that a poll takes");
      if (caller % 2 === 0)
        return teleprinter.deliver({ deviceId: printer.deviceId, holder, ids: idsOf(taken), ends: true });
      await requeue(teleprinter, holder);
      return [];
    });
    const done = sorted(delivered.flat());
    assert.deepEqual(done, idsOf(messages).slice(0, done.length));
    assert.deepEqual(await take(storage.teleprinter, { holder: "last" }), messages.slice(done.length));
  },

  "a queue is free again when the time of its holder is over": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter, { limit: 2 });
    assert.equal(await takeOrHeld(teleprinter, { ...late, now: now + minute - 1 }), "poll-1");
    assert.deepEqual(await take(teleprinter, late), messages);
    assert.deepEqual(await deliver(teleprinter, "poll-1", idsOf(messages)), []);
  },

  "a late holder may deliver if the queue was not taken in the meantime": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 2));
    await take(teleprinter, { until: now + 1 });
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids.slice(0, 1)), ids.slice(0, 1));
    assert.deepEqual(idsOf(await take(teleprinter, late)), ids.slice(1));
  },

  "texts that were held when the process ended are free again, and delivered texts stay delivered": async (ground) => {
    const messages = await fillQueue(ground.storage.teleprinter, 4);
    await take(ground.storage.teleprinter, { limit: 3, until: now + minute });
    await deliver(ground.storage.teleprinter, "poll-1", idsOf(messages.slice(1, 2)));
    const { teleprinter } = await ground.reopen();
    const rest = messages.filter((_, index) => index !== 1);
    assert.deepEqual(await take(teleprinter, late), rest);
  },
});
