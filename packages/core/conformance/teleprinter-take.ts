import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "./case.ts";
import { expectOutcome, expectRising, sorted } from "./expect.ts";
import { appendTexts, claim, fillQueue, idsOf, now, pageAll, printer, take, textFrom, textTo } from "./fixtures.ts";
import type { DeviceMessageRecord, TeleprinterStore } from "../src/teleprinter/store.ts";

const minute = 60_000;

const deliver = (store: TeleprinterStore, holder: string, ids: readonly number[]): Promise<readonly number[]> =>
  store.deliver({ deviceId: printer.deviceId, holder, ids });

const renew = (store: TeleprinterStore, holder: string, until: number): Promise<void> =>
  store.renew({ deviceId: printer.deviceId, holder, until });

const requeue = (store: TeleprinterStore, holder: string, ids?: readonly number[]): Promise<void> =>
  store.requeue({ deviceId: printer.deviceId, holder, ...(ids === undefined ? {} : { ids }) });

async function acknowledge(
  store: TeleprinterStore,
  upTo: number,
  { limit = 1000, at = now }: { limit?: number; at?: number } = {},
): Promise<{ readonly messages: readonly DeviceMessageRecord[]; readonly marked: readonly number[] }> {
  const acknowledged = await store.acknowledge({ ...printer, upTo, limit, now: at });
  expectOutcome(acknowledged, "acknowledged");
  return acknowledged;
}

async function undelivered(store: TeleprinterStore): Promise<number[]> {
  const messages = await pageAll(store);
  return sorted(idsOf(messages.filter(({ delivered }) => !delivered)));
}

/** What a storage promises of taking texts out of a device's queue. */
export const takeCases: readonly StorageCase[] = defineCases("teleprinter take", {
  "taking gives the oldest first, and holds them": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const messages = await fillQueue(teleprinter, 5);
    assert.deepEqual(await take(teleprinter, { limit: 2 }), messages.slice(0, 2));
    assert.deepEqual(await take(teleprinter, { limit: 2, holder: "poll-2" }), messages.slice(2, 4));
    assert.deepEqual(await take(teleprinter, { limit: 2 }), messages.slice(4));
    assert.deepEqual(await take(teleprinter), []);
    assert.deepEqual(await undelivered(teleprinter), idsOf(messages));
  },

  "10 polls at once get no text twice, and all of them": async ({ storage, raceServers }) => {
    await claim(storage.teleprinter);
    const messages = await fillQueue(storage.teleprinter, 37);
    const taken = await raceServers(10, ({ teleprinter }, caller) =>
      take(teleprinter, { limit: 5, holder: `poll-${caller}` }),
    );
    for (const part of taken) expectRising(idsOf(part), "The ids that a poll takes");
    assert.deepEqual(sorted(taken.flatMap(idsOf)), idsOf(messages));
  },

  "10 polls at once want the same text, and one gets it": async ({ storage, raceServers }) => {
    await claim(storage.teleprinter);
    await fillQueue(storage.teleprinter, 1);
    const taken = await raceServers(10, ({ teleprinter }, caller) => take(teleprinter, { holder: `poll-${caller}` }));
    assert.equal(taken.flat().length, 1);
  },

  "what is delivered is marked, and comes no more": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const ids = idsOf(await fillQueue(teleprinter, 4));
    await take(teleprinter, { limit: 3 });
    assert.deepEqual(sorted(await deliver(teleprinter, "poll-1", ids.slice(0, 2))), ids.slice(0, 2));
    assert.deepEqual(await undelivered(teleprinter), ids.slice(2));
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids.slice(0, 2)), []);
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(idsOf(await take(teleprinter)), ids.slice(2));
  },

  "delivering passes over what the holder does not hold": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await claim(teleprinter, { deviceId: "printer-2", owner: 7 });
    const ids = idsOf(await fillQueue(teleprinter, 3));
    await take(teleprinter, { limit: 1, holder: "other" });
    await take(teleprinter, { limit: 1 });
    assert.deepEqual(await deliver(teleprinter, "poll-1", [...ids, 999_999_999]), ids.slice(1, 2));
    assert.deepEqual(await deliver(teleprinter, "nobody", ids), []);
    assert.deepEqual(await teleprinter.deliver({ deviceId: "printer-2", holder: "other", ids }), []);
    assert.deepEqual(await undelivered(teleprinter), [ids[0], ids[2]]);
  },

  "of 10 deliveries of the same texts at once each text is marked once": async ({ storage, race }) => {
    await claim(storage.teleprinter);
    const ids = idsOf(await fillQueue(storage.teleprinter, 6));
    await take(storage.teleprinter);
    const marked = await race(10, ({ teleprinter }) => deliver(teleprinter, "poll-1", ids));
    assert.deepEqual(sorted(marked.flat()), ids);
  },

  "renewed texts are held until their new end": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter, { limit: 2 });
    await renew(teleprinter, "poll-1", now + 2 * minute);
    assert.deepEqual(await take(teleprinter, { holder: "poll-2", now: now + minute }), messages.slice(2));
    assert.deepEqual(
      await take(teleprinter, { holder: "poll-3", now: now + 2 * minute, until: now + 3 * minute }),
      messages,
    );
  },

  "renewing passes over what the holder does not hold": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const messages = await fillQueue(teleprinter, 4);
    const ids = idsOf(messages);
    await take(teleprinter, { limit: 1, holder: "other" });
    await take(teleprinter, { limit: 2 });
    await requeue(teleprinter, "poll-1", ids.slice(2, 3));
    await renew(teleprinter, "poll-1", now + 2 * minute);
    await renew(teleprinter, "nobody", now + 2 * minute);
    await teleprinter.renew({ deviceId: "unknown", holder: "poll-1", until: now + 2 * minute });
    assert.deepEqual(await take(teleprinter, { holder: "poll-2" }), messages.slice(2));
    const late = await take(teleprinter, { holder: "poll-3", now: now + minute, until: now + 3 * minute });
    assert.deepEqual(idsOf(late), [ids[0], ids[2], ids[3]]);
  },

  "when a hold ends, a text is renewed or taken by one of 10 polls, not both": async ({ storage, raceServers }) => {
    await claim(storage.teleprinter);
    const ids = idsOf(await fillQueue(storage.teleprinter, 5));
    await take(storage.teleprinter);
    const [, ...taken] = await raceServers(11, async ({ teleprinter }, caller) => {
      if (caller > 0)
        return take(teleprinter, { limit: 1, holder: `late-${caller}`, now: now + minute, until: now + 3 * minute });
      await renew(teleprinter, "poll-1", now + 3 * minute);
      return [];
    });
    const kept = await deliver(storage.teleprinter, "poll-1", ids);
    assert.deepEqual(sorted([...taken.flatMap(idsOf), ...kept]), ids);
  },

  "what is put back is in its old place": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const messages = await fillQueue(teleprinter, 6);
    await take(teleprinter, { limit: 3 });
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(await take(teleprinter, { holder: "poll-2" }), messages);
  },

  "single texts can be put back": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const messages = await fillQueue(teleprinter, 5);
    const ids = idsOf(messages);
    await take(teleprinter, { limit: 4 });
    await requeue(teleprinter, "poll-1", [ids[1] ?? 0, ids[3] ?? 0]);
    await requeue(teleprinter, "poll-1", []);
    assert.deepEqual(idsOf(await take(teleprinter, { holder: "poll-2" })), [ids[1], ids[3], ids[4]]);
    assert.deepEqual(sorted(await deliver(teleprinter, "poll-1", ids)), [ids[0], ids[2]]);
  },

  "nobody can put back what another holds, or what is delivered": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const ids = idsOf(await fillQueue(teleprinter, 3));
    await take(teleprinter, { limit: 2 });
    await requeue(teleprinter, "poll-2");
    await requeue(teleprinter, "poll-2", ids);
    assert.deepEqual(idsOf(await take(teleprinter, { holder: "poll-2" })), ids.slice(2));
    await deliver(teleprinter, "poll-1", ids);
    await requeue(teleprinter, "poll-1");
    assert.deepEqual(await take(teleprinter, { holder: "poll-3" }), []);
  },

  "polls that take, fail and put back at once lose nothing, and keep the order": async ({ storage, raceServers }) => {
    await claim(storage.teleprinter);
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
    await claim(teleprinter);
    const messages = await fillQueue(teleprinter, 3);
    await take(teleprinter, { limit: 2, until: now + minute });
    const early = await take(teleprinter, { holder: "poll-2", now: now + minute - 1, until: now + 5 * minute });
    assert.deepEqual(early, messages.slice(2));
    assert.deepEqual(await take(teleprinter, { holder: "poll-3", now: now + minute + 1 }), messages.slice(0, 2));
    assert.deepEqual(await deliver(teleprinter, "poll-1", idsOf(messages)), []);
  },

  "a late holder may deliver what nobody took meanwhile": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const ids = idsOf(await fillQueue(teleprinter, 2));
    await take(teleprinter, { until: now + 1 });
    await take(teleprinter, { limit: 1, holder: "poll-2", now: now + 10, until: now + minute });
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids), ids.slice(1));
  },

  "what was held when the process ended is free again, and delivered texts stay delivered": async (ground) => {
    await claim(ground.storage.teleprinter);
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

/** What a storage promises of acknowledging and of paging. */
export const acknowledgeCases: readonly StorageCase[] = defineCases("teleprinter acknowledge", {
  "acknowledging marks up to an id, and shows the rest without holding it": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const messages = await fillQueue(teleprinter, 6);
    const ids = idsOf(messages);
    const shown = await acknowledge(teleprinter, ids[1] ?? 0, { limit: 3 });
    assert.deepEqual(shown.messages, messages.slice(2, 5));
    assert.deepEqual(sorted(shown.marked), ids.slice(0, 2));
    const again = await acknowledge(teleprinter, ids[1] ?? 0, { limit: 3 });
    assert.deepEqual(again.messages, shown.messages);
    assert.deepEqual(again.marked, []);
    assert.deepEqual(await undelivered(teleprinter), ids.slice(2));
    assert.deepEqual(await take(teleprinter), messages.slice(2));
  },

  "zero acknowledges nothing, also when there was never a text": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const none = await acknowledge(teleprinter, 0);
    assert.deepEqual([none.messages, none.marked], [[], []]);
    const messages = await fillQueue(teleprinter, 2);
    const shown = await acknowledge(teleprinter, 0);
    assert.deepEqual([shown.messages, shown.marked], [messages, []]);
  },

  "an id above the newest of both directions changes nothing": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const empty = await teleprinter.acknowledge({ ...printer, upTo: 1, limit: 10, now });
    assert.deepEqual(empty, { outcome: "above_newest", newest: 0 });
    const [text, from] = await appendTexts(teleprinter, [textTo("to"), textFrom("from")]);
    const newest = from?.id ?? 0;
    const above = await teleprinter.acknowledge({ ...printer, upTo: newest + 1, limit: 10, now });
    assert.deepEqual(above, { outcome: "above_newest", newest });
    const far = await teleprinter.acknowledge({ ...printer, upTo: Number.MAX_SAFE_INTEGER, limit: 10, now });
    assert.deepEqual(far, above);
    assert.deepEqual(await undelivered(teleprinter), [text?.id]);
    assert.deepEqual((await acknowledge(teleprinter, newest)).marked, [text?.id]);
  },

  "an id of another device is above the newest": async ({ storage: { teleprinter } }) => {
    const other = { deviceId: "printer-2", owner: 7 };
    await claim(teleprinter);
    await claim(teleprinter, other);
    const [own] = await fillQueue(teleprinter, 1);
    await fillQueue(teleprinter, 3, other);
    const above = await teleprinter.acknowledge({ ...printer, upTo: (own?.id ?? 0) + 1, limit: 10, now });
    assert.deepEqual(above, { outcome: "above_newest", newest: own?.id });
  },

  "acknowledging leaves alone what somebody holds, until its time is over": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const ids = idsOf(await fillQueue(teleprinter, 4));
    await take(teleprinter, { limit: 2, until: now + minute });
    const early = await acknowledge(teleprinter, ids[2] ?? 0);
    assert.deepEqual([idsOf(early.messages), early.marked], [ids.slice(3), ids.slice(2, 3)]);
    const late = await acknowledge(teleprinter, ids[0] ?? 0, { at: now + minute + 1 });
    assert.deepEqual([idsOf(late.messages), late.marked], [[ids[1], ids[3]], ids.slice(0, 1)]);
    assert.deepEqual(await deliver(teleprinter, "poll-1", ids), ids.slice(1, 2));
  },

  "of 10 acknowledgements at once each text is marked once": async ({ storage, race }) => {
    await claim(storage.teleprinter);
    const ids = idsOf(await fillQueue(storage.teleprinter, 8));
    const marked = await race(10, async ({ teleprinter }, caller) => {
      const acknowledged = await acknowledge(teleprinter, ids[caller % 8] ?? 0);
      return acknowledged.marked;
    });
    assert.deepEqual(sorted(marked.flat()), ids);
  },

  "no text is both taken and acknowledged": async ({ storage, raceServers }) => {
    await claim(storage.teleprinter);
    const ids = idsOf(await fillQueue(storage.teleprinter, 20));
    const handled = await raceServers(10, async ({ teleprinter }, caller) => {
      if (caller % 2 === 0) return idsOf(await take(teleprinter, { limit: 3, holder: `poll-${caller}` }));
      const acknowledged = await acknowledge(teleprinter, ids[caller] ?? 0);
      return [...acknowledged.marked];
    });
    const all = handled.flat();
    assert.equal(new Set(all).size, all.length, `handled twice: ${all.join(", ")}`);
  },

  "acknowledged texts stay delivered after a restart": async ({ storage, reopen }) => {
    await claim(storage.teleprinter);
    const messages = await fillQueue(storage.teleprinter, 3);
    await acknowledge(storage.teleprinter, messages[1]?.id ?? 0);
    const { teleprinter } = await reopen();
    assert.deepEqual(await take(teleprinter), messages.slice(2));
  },

  "a page shows both directions, newest first, and whether there is more": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await claim(teleprinter, { deviceId: "printer-2", owner: 7 });
    const messages = await appendTexts(
      teleprinter,
      Array.from({ length: 21 }, (_, index) =>
        index % 3 === 2
          ? textTo(`${index}`, { deviceId: "printer-2" })
          : textTo(`${index}`, { direction: index % 2 === 0 ? "to_device" : "from_device" }),
      ),
    );
    const own = messages.filter(({ deviceId }) => deviceId === printer.deviceId).toReversed();
    for (const before of [null, 0, ...idsOf(messages), Number.MAX_SAFE_INTEGER]) {
      const below = own.filter(({ id }) => before === null || id < before);
      for (const limit of [1, 2, 5, 14, 100]) {
        const page = await teleprinter.page({ ...printer, before, limit });
        const expected = { outcome: "page", messages: below.slice(0, limit), more: below.length > limit };
        assert.deepEqual(page, expected, `before ${before}, limit ${limit}`);
      }
    }
  },
});
