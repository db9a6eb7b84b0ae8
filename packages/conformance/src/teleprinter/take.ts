import assert from "node:assert/strict";
import type { StorageCase } from "../support/case.ts";
import { expectRising, sorted } from "../support/expect.ts";
import { claim, fillQueue, idsOf, now, printer, take, takeOrHeld, textTo } from "../support/fixtures.ts";
import { defineQueueCases, deliver, undelivered } from "./queue-kit.ts";
import type { TeleprinterStore } from "@telex/core/storage";

const minute = 60_000;

const renew = (store: TeleprinterStore, holder: string, until: number): Promise<boolean> =>
  store.renew({ deviceId: printer.deviceId, holder, until });

const requeue = (store: TeleprinterStore, holder: string): Promise<void> =>
  store.requeue({ deviceId: printer.deviceId, holder });

/** Taking in another name than the usual one, as long as that one holds the queue. */
const other = { holder: "poll-2" };

/** The same when the time of the usual one is over. */
const late = { holder: "poll-3", now: now + minute, until: now + 2 * minute };

/** Promises of a storage about taking texts out of a device's queue. */
export const takeCases: readonly StorageCase[] = defineQueueCases("teleprinter take", {
  "taking gives the oldest first, and those above an id": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 5);
    const ids = idsOf(messages);
    assert.deepEqual(await take(teleprinter, { limit: 2 }), messages.slice(0, 2));
    assert.deepEqual(await take(teleprinter, { limit: 2, after: ids[1] ?? 0 }), messages.slice(2, 4));
    assert.deepEqual(await take(teleprinter, { after: ids[3] ?? 0 }), messages.slice(4));
    assert.deepEqual(await take(teleprinter, { after: ids[4] ?? 0 }), []);
    assert.deepEqual(await take(teleprinter), messages);
  },

  "a queue has one holder, whatever it has taken": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter, { limit: 1 });
    assert.equal(await takeOrHeld(teleprinter, other), "poll-1");
    await teleprinter.append(textTo("later"));
    assert.equal(await takeOrHeld(teleprinter, other), "poll-1");
    assert.deepEqual(await take(teleprinter, { limit: 3 }), messages);
  },

  "an empty queue is held only by one who keeps it": async ({ storage: { teleprinter } }) => {
    assert.deepEqual(await take(teleprinter), []);
    assert.deepEqual(await take(teleprinter, { ...other, keep: true }), []);
    assert.deepEqual(await take(teleprinter), []);
    assert.equal(await takeOrHeld(teleprinter, { keep: true }), "poll-2");
    const messages = await fillQueue(teleprinter, 1);
    assert.equal(await takeOrHeld(teleprinter), "poll-2");
    assert.deepEqual(await take(teleprinter, { ...other, keep: true }), messages);
  },

  "a holder who finds nothing above an id keeps what it has": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 2));
    await take(teleprinter);
    assert.deepEqual(await take(teleprinter, { after: ids[1] ?? 0 }), []);
    assert.equal(await takeOrHeld(teleprinter, other), "poll-1");
  },

  "devices have queues of their own": async ({ storage: { teleprinter } }) => {
    const second = { deviceId: "printer-2", owner: 7 };
    await claim(teleprinter, second);
    const [own] = [await fillQueue(teleprinter, 2), await take(teleprinter)];
    const theirs = await fillQueue(teleprinter, 2, second);
    assert.deepEqual(await take(teleprinter, other, second), theirs);
    const ids = idsOf(own);
    assert.deepEqual(await teleprinter.deliver({ deviceId: second.deviceId, holder: "poll-2", ids }), []);
    assert.deepEqual(await undelivered(teleprinter), ids);
  },

  "taking delivers nothing": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 5);
    await take(teleprinter);
    assert.deepEqual(await undelivered(teleprinter), idsOf(messages));
  },

  "10 simultaneous polls want the same texts, and one gets them": async ({ storage, raceServers }) => {
    const messages = await fillQueue(storage.teleprinter, 37);
    const taken = await raceServers(10, ({ teleprinter }, caller) =>
      takeOrHeld(teleprinter, { limit: 5, holder: `poll-${caller}` }),
    );
    const [got, ...more] = taken.filter((one) => typeof one !== "string");
    assert.deepEqual([got, more], [messages.slice(0, 5), []]);
    assert.equal(new Set(taken.filter((one) => typeof one === "string")).size, 1);
  },

  "10 simultaneous connections want an empty queue, and one keeps it": async ({ raceServers }) => {
    const taken = await raceServers(10, ({ teleprinter }, caller) =>
      takeOrHeld(teleprinter, { keep: true, holder: `socket-${caller}` }),
    );
    assert.equal(taken.filter((one) => typeof one !== "string").length, 1);
  },

  "what is delivered is marked, once": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 4));
    await take(teleprinter, { limit: 3 });
    assert.deepEqual(sorted(await deliver(teleprinter, "poll-1", ids.slice(0, 2))), ids.slice(0, 2));
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids.slice(0, 2)), []);
    assert.deepEqual(await undelivered(teleprinter), ids.slice(2));
  },

  "what is delivered comes no more": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 4));
    await deliver(teleprinter, "poll-1", idsOf(await take(teleprinter, { limit: 2 })));
    await requeue(teleprinter, "poll-1");
    assert.deepEqual([await undelivered(teleprinter), idsOf(await take(teleprinter))], [ids.slice(2), ids.slice(2)]);
  },

  "texts can be delivered in any order": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 4));
    await take(teleprinter);
    assert.deepEqual(await deliver(teleprinter, "poll-1", [ids[2] ?? 0, 999_999_999]), ids.slice(2, 3));
    assert.deepEqual(idsOf(await take(teleprinter)), [ids[0], ids[1], ids[3]]);
  },

  "who delivers the last texts can end its hold with them": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    const ids = idsOf(await take(teleprinter, { limit: 2 }));
    const delivery = { deviceId: printer.deviceId, holder: "poll-1", ids, ends: true };
    assert.deepEqual(sorted(await teleprinter.deliver(delivery)), ids);
    assert.deepEqual(await take(teleprinter, other), messages.slice(2));
    assert.deepEqual(await teleprinter.deliver({ ...delivery, ids: idsOf(messages) }), []);
    assert.equal(await takeOrHeld(teleprinter), "poll-2");
  },

  "only the holder delivers": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 3));
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids), []);
    await take(teleprinter, { ...other, limit: 1 });
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids), []);
    assert.deepEqual(await undelivered(teleprinter), ids);
  },

  "of 10 simultaneous deliveries of the same texts each text is marked once": async ({ storage, race }) => {
    const ids = idsOf(await fillQueue(storage.teleprinter, 6));
    await take(storage.teleprinter);
    const marked = await race(10, ({ teleprinter }) => deliver(teleprinter, "poll-1", ids));
    assert.deepEqual(sorted(marked.flat()), ids);
  },

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

  "what is put back is in its old place": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 6);
    await take(teleprinter, { limit: 3 });
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(await take(teleprinter, other), messages);
  },

  "who was put back by another marks and renews nothing any more": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter);
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(await deliver(teleprinter, "poll-1", idsOf(messages)), []);
    assert.equal(await renew(teleprinter, "poll-1", now + 2 * minute), false);
    assert.deepEqual(await take(teleprinter, other), messages);
    assert.equal(await takeOrHeld(teleprinter), "poll-2");
  },

  "nobody can put back what another holds": async ({ storage: { teleprinter } }) => {
    await fillQueue(teleprinter, 3);
    await take(teleprinter, { limit: 2 });
    await requeue(teleprinter, "poll-2");
    assert.equal(await takeOrHeld(teleprinter, other), "poll-1");
  },

  "nobody can put back what is delivered": async ({ storage: { teleprinter } }) => {
    await fillQueue(teleprinter, 2);
    await deliver(teleprinter, "poll-1", idsOf(await take(teleprinter)));
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(await take(teleprinter, { holder: "poll-3" }), []);
  },

  "polls that take, fail and put back simultaneously lose nothing, and keep the order": async ({
    storage,
    raceServers,
  }) => {
    const messages = await fillQueue(storage.teleprinter, 30);
    const delivered = await raceServers(12, async ({ teleprinter }, caller) => {
      const holder = `poll-${caller}`;
      const taken = await takeOrHeld(teleprinter, { limit: 4, holder });
      if (typeof taken === "string") return [];
      expectRising(idsOf(taken), "The ids that a poll takes");
      if (caller % 2 === 0) {
        return teleprinter.deliver({ deviceId: printer.deviceId, holder, ids: idsOf(taken), ends: true });
      }
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

  "a late holder may deliver if nobody took meanwhile": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 2));
    await take(teleprinter, { until: now + 1 });
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids.slice(0, 1)), ids.slice(0, 1));
    assert.deepEqual(idsOf(await take(teleprinter, late)), ids.slice(1));
  },

  "what was held when the process ended is free again, and delivered texts stay delivered": async (ground) => {
    const messages = await fillQueue(ground.storage.teleprinter, 4);
    await take(ground.storage.teleprinter, { limit: 3, until: now + minute });
    await deliver(ground.storage.teleprinter, "poll-1", idsOf(messages.slice(1, 2)));
    const { teleprinter } = await ground.reopen();
    const rest = messages.filter((_, index) => index !== 1);
    assert.deepEqual(await take(teleprinter, late), rest);
  },
});
