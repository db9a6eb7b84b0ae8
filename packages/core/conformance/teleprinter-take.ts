import assert from "node:assert/strict";
import type { StorageCase } from "./case.ts";
import { expectRising, sorted } from "./expect.ts";
import { claim, fillQueue, idsOf, now, printer, take } from "./fixtures.ts";
import { defineQueueCases, deliver, undelivered } from "./queue-kit.ts";
import type { TeleprinterStore } from "../src/teleprinter/store.ts";

const minute = 60_000;

const renew = (store: TeleprinterStore, holder: string, ids: readonly number[], until: number): Promise<void> =>
  store.renew({ deviceId: printer.deviceId, holder, ids, until });

const requeue = (store: TeleprinterStore, holder: string, except?: readonly number[]): Promise<void> =>
  store.requeue({ deviceId: printer.deviceId, holder, ...(except === undefined ? {} : { except }) });

/** What a storage promises of taking texts out of a device's queue. */
export const takeCases: readonly StorageCase[] = defineQueueCases("teleprinter take", {
  "taking gives the oldest first, and holds them": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 5);
    assert.deepEqual(await take(teleprinter, { limit: 2 }), messages.slice(0, 2));
    assert.deepEqual(await take(teleprinter, { limit: 2, holder: "poll-2" }), messages.slice(2, 4));
    assert.deepEqual([await take(teleprinter, { limit: 2 }), await take(teleprinter)], [messages.slice(4), []]);
  },

  "taking delivers nothing": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 5);
    await take(teleprinter);
    assert.deepEqual(await undelivered(teleprinter), idsOf(messages));
  },

  "10 simultaneous polls get no text twice, and all of them": async ({ storage, raceServers }) => {
    const messages = await fillQueue(storage.teleprinter, 37);
    const taken = await raceServers(10, ({ teleprinter }, caller) =>
      take(teleprinter, { limit: 5, holder: `poll-${caller}` }),
    );
    for (const part of taken) expectRising(idsOf(part), "The ids that a poll takes");
    assert.deepEqual(sorted(taken.flatMap(idsOf)), idsOf(messages));
  },

  "10 simultaneous polls want the same text, and one gets it": async ({ storage, raceServers }) => {
    await fillQueue(storage.teleprinter, 1);
    const taken = await raceServers(10, ({ teleprinter }, caller) => take(teleprinter, { holder: `poll-${caller}` }));
    assert.equal(taken.flat().length, 1);
  },

  "what is delivered is marked, once": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 4));
    await take(teleprinter, { limit: 3 });
    assert.deepEqual(sorted(await deliver(teleprinter, "poll-1", ids.slice(0, 2))), ids.slice(0, 2));
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids.slice(0, 2)), []);
  },

  "what is delivered comes no more": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 4));
    await deliver(teleprinter, "poll-1", idsOf(await take(teleprinter, { limit: 2 })));
    await requeue(teleprinter, "poll-1");
    assert.deepEqual([await undelivered(teleprinter), idsOf(await take(teleprinter))], [ids.slice(2), ids.slice(2)]);
  },

  "delivering passes over what the holder does not hold": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter, { deviceId: "printer-2", owner: 7 });
    const ids = idsOf(await fillQueue(teleprinter, 3));
    await take(teleprinter, { limit: 1, holder: "other" });
    await take(teleprinter, { limit: 1 });
    assert.deepEqual(await deliver(teleprinter, "poll-1", [...ids, 999_999_999]), ids.slice(1, 2));
    assert.deepEqual(await deliver(teleprinter, "nobody", ids), []);
    assert.deepEqual(await teleprinter.deliver({ deviceId: "printer-2", holder: "other", ids }), []);
    assert.deepEqual(await undelivered(teleprinter), [ids[0], ids[2]]);
  },

  "of 10 simultaneous deliveries of the same texts each text is marked once": async ({ storage, race }) => {
    const ids = idsOf(await fillQueue(storage.teleprinter, 6));
    await take(storage.teleprinter);
    const marked = await race(10, ({ teleprinter }) => deliver(teleprinter, "poll-1", ids));
    assert.deepEqual(sorted(marked.flat()), ids);
  },

  "renewed texts are held until their new end": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter, { limit: 2 });
    await renew(teleprinter, "poll-1", idsOf(messages), now + 2 * minute);
    assert.deepEqual(await take(teleprinter, { holder: "poll-2", now: now + minute }), messages.slice(2));
    assert.deepEqual(
      await take(teleprinter, { holder: "poll-3", now: now + 2 * minute, until: now + 3 * minute }),
      messages,
    );
  },

  "renewing passes over what the holder does not hold": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 4);
    const ids = idsOf(messages);
    await take(teleprinter, { limit: 1, holder: "other" });
    await take(teleprinter, { limit: 2 });
    await requeue(teleprinter, "poll-1", ids.slice(1, 2));
    await renew(teleprinter, "poll-1", ids, now + 2 * minute);
    await renew(teleprinter, "nobody", ids, now + 2 * minute);
    await teleprinter.renew({ deviceId: "unknown", holder: "poll-1", ids, until: now + 2 * minute });
    assert.deepEqual(await take(teleprinter, { holder: "poll-2" }), messages.slice(2));
    const late = await take(teleprinter, { holder: "poll-3", now: now + minute, until: now + 3 * minute });
    assert.deepEqual(idsOf(late), [ids[0], ids[2], ids[3]]);
  },

  "when a hold ends, a text is renewed or taken by one of 10 polls, not both": async ({ storage, raceServers }) => {
    const ids = idsOf(await fillQueue(storage.teleprinter, 5));
    await take(storage.teleprinter);
    const [, ...taken] = await raceServers(11, async ({ teleprinter }, caller) => {
      if (caller > 0)
        return take(teleprinter, { limit: 1, holder: `late-${caller}`, now: now + minute, until: now + 3 * minute });
      await renew(teleprinter, "poll-1", ids, now + 3 * minute);
      return [];
    });
    const kept = await deliver(storage.teleprinter, "poll-1", ids);
    assert.deepEqual(sorted([...taken.flatMap(idsOf), ...kept]), ids);
  },

  "what is put back is in its old place": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 6);
    await take(teleprinter, { limit: 3 });
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(await take(teleprinter, { holder: "poll-2" }), messages);
  },

  "texts that are not renewed are free when their time is over": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter);
    await renew(teleprinter, "poll-1", [idsOf(messages)[1] ?? 0], now + 2 * minute);
    await renew(teleprinter, "poll-1", [], now + 2 * minute);
    const late = { holder: "poll-2", now: now + minute, until: now + 2 * minute };
    assert.deepEqual(await take(teleprinter, late), [messages[0], messages[2]]);
  },

  "who puts texts back can keep some": async ({ storage: { teleprinter } }) => {
    await fillQueue(teleprinter, 3);
    const ids = idsOf(await take(teleprinter));
    for (const kept of [ids, ids.slice(0, 1)]) await requeue(teleprinter, "poll-1", kept);
    assert.deepEqual(idsOf(await take(teleprinter, { holder: "poll-2" })), ids.slice(1));
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids), ids.slice(0, 1));
  },

  "nobody can put back what another holds": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 3));
    await take(teleprinter, { limit: 2 });
    for (const kept of [undefined, []]) await requeue(teleprinter, "poll-2", kept);
    assert.deepEqual(idsOf(await take(teleprinter, { holder: "poll-2" })), ids.slice(2));
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
      const ids = idsOf(await take(teleprinter, { limit: 4, holder }));
      if (caller % 2 === 0) return deliver(teleprinter, holder, ids);
      await requeue(teleprinter, holder);
      return [];
    });
    const rest = messages.filter(({ id }) => !delivered.flat().includes(id));
    assert.deepEqual(await take(storage.teleprinter, { holder: "last" }), rest);
    assert.equal(rest.length + delivered.flat().length, 30);
  },

  "held texts are free again when their time is over": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter, { limit: 2, until: now + minute });
    const early = await take(teleprinter, { holder: "poll-2", now: now + minute - 1, until: now + 5 * minute });
    assert.deepEqual(early, messages.slice(2));
    assert.deepEqual(await take(teleprinter, { holder: "poll-3", now: now + minute + 1 }), messages.slice(0, 2));
    assert.deepEqual(await deliver(teleprinter, "poll-1", idsOf(messages)), []);
  },

  "a late holder may deliver what nobody took meanwhile": async ({ storage: { teleprinter } }) => {
    const ids = idsOf(await fillQueue(teleprinter, 2));
    await take(teleprinter, { until: now + 1 });
    await take(teleprinter, { limit: 1, holder: "poll-2", now: now + 10, until: now + minute });
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids), ids.slice(1));
  },

  "what was held when the process ended is free again, and delivered texts stay delivered": async (ground) => {
    const messages = await fillQueue(ground.storage.teleprinter, 4);
    await take(ground.storage.teleprinter, { limit: 3, until: now + minute });
    await deliver(ground.storage.teleprinter, "poll-1", idsOf(messages.slice(1, 2)));
    const { teleprinter } = await ground.reopen();
    const rest = messages.filter((_, index) => index !== 1);
    assert.deepEqual(
      await take(teleprinter, { holder: "poll-2", now: now + minute + 1, until: now + 5 * minute }),
      rest,
    );
  },
});
