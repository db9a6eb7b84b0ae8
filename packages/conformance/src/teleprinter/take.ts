import type { StorageCase } from "../support/case.ts";
import assert from "node:assert/strict";
import { sorted } from "../support/expect.ts";
import { claim, fillQueue, idsOf, printer, take, takeOrHeld, textTo } from "../support/fixtures.ts";
import { defineQueueCases, deliver, undelivered } from "./queue-kit.ts";
import { requeue, other } from "./queue-kit.ts";

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

  "delivered texts are marked, once": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 4));
    await take(teleprinter, { limit: 3 });
    assert.deepEqual(sorted(await deliver(teleprinter, "poll-1", ids.slice(0, 2))), ids.slice(0, 2));
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids.slice(0, 2)), []);
    assert.deepEqual(await undelivered(teleprinter), ids.slice(2));
  },

  "delivered texts do not come again": async ({ storage: { teleprinter } }) => {
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

  "a holder that delivers the last texts can end its hold with them": async ({ storage: { teleprinter } }) => {
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
});
