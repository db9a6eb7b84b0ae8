import assert from "node:assert/strict";
import type { DeviceMessageRecord, TeleprinterStore } from "@telex/core/storage";
import type { StorageCase } from "../support/case.ts";
import { sorted, withOutcome } from "../support/expect.ts";
import {
  appendTexts,
  claim,
  directionOf,
  fillQueue,
  idsOf,
  now,
  printer,
  take,
  takeOrHeld,
  textFrom,
  textTo,
} from "../support/fixtures.ts";
import { defineQueueCases, undelivered } from "./queue-kit.ts";

const minute = 60_000;

async function acknowledge(
  store: TeleprinterStore,
  upTo: number,
  { limit = 1000, at = now }: { limit?: number; at?: number } = {},
): Promise<{ readonly messages: readonly DeviceMessageRecord[]; readonly marked: readonly number[] }> {
  const acknowledged = withOutcome(await store.acknowledge({ ...printer, upTo, limit, now: at }), "acknowledged");
  return acknowledged;
}

/** Promises of a storage about acknowledging and of paging. */
export const acknowledgeCases: readonly StorageCase[] = defineQueueCases("teleprinter acknowledge", {
  "acknowledging marks up to an id, and shows the rest without holding it": async ({ storage: { teleprinter } }) => {
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
    const none = await acknowledge(teleprinter, 0);
    assert.deepEqual([none.messages, none.marked], [[], []]);
    const messages = await fillQueue(teleprinter, 2);
    const shown = await acknowledge(teleprinter, 0);
    assert.deepEqual([shown.messages, shown.marked], [messages, []]);
  },

  "an id above the newest of both directions changes nothing": async ({ storage: { teleprinter } }) => {
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
    await claim(teleprinter, other);
    const [own] = await fillQueue(teleprinter, 1);
    await fillQueue(teleprinter, 3, other);
    const above = await teleprinter.acknowledge({ ...printer, upTo: (own?.id ?? 0) + 1, limit: 10, now });
    assert.deepEqual(above, { outcome: "above_newest", newest: own?.id });
  },

  "a held queue is neither acknowledged nor shown, until the time of its holder is over": async ({
    storage: { teleprinter },
  }) => {
    const messages = await fillQueue(teleprinter, 4);
    const ids = idsOf(messages);
    await take(teleprinter, { limit: 2, until: now + minute });
    const held = await teleprinter.acknowledge({ ...printer, upTo: ids[2] ?? 0, limit: 10, now });
    assert.deepEqual(held, { outcome: "held", holder: "poll-1" });
    assert.deepEqual(await undelivered(teleprinter), ids);
    const late = await acknowledge(teleprinter, ids[0] ?? 0, { at: now + minute });
    assert.deepEqual([late.messages, late.marked], [messages.slice(1), ids.slice(0, 1)]);
  },

  "a device that has all texts gets an answer, regardless of the holder of its queue": async ({
    storage: { teleprinter },
  }) => {
    await take(teleprinter, { keep: true });
    const empty = await acknowledge(teleprinter, 0);
    assert.deepEqual([empty.messages, empty.marked], [[], []]);
    const above = await teleprinter.acknowledge({ ...printer, upTo: 1, limit: 10, now });
    assert.deepEqual(above, { outcome: "above_newest", newest: 0 });
  },

  "of 10 simultaneous acknowledgements each text is marked once": async ({ storage, race }) => {
    const ids = idsOf(await fillQueue(storage.teleprinter, 8));
    const marked = await race(10, async ({ teleprinter }, caller) => {
      const acknowledged = await acknowledge(teleprinter, ids[caller % 8] ?? 0);
      return acknowledged.marked;
    });
    assert.deepEqual(sorted(marked.flat()), ids);
  },

  "no text is both taken and acknowledged": async ({ storage, raceServers }) => {
    const ids = idsOf(await fillQueue(storage.teleprinter, 20));
    const handled = await raceServers(10, async ({ teleprinter }, caller) => {
      if (caller % 2 === 0) {
        const taken = await takeOrHeld(teleprinter, { limit: 3, holder: `poll-${caller}` });
        return typeof taken === "string" ? [] : idsOf(taken);
      }
      const done = await teleprinter.acknowledge({ ...printer, upTo: ids[caller] ?? 0, limit: 1, now });
      return done.outcome === "acknowledged" ? [...done.marked] : [];
    });
    const all = handled.flat();
    assert.equal(new Set(all).size, all.length, `handled twice: ${all.join(", ")}`);
    assert.ok(all.length > 0);
  },

  "acknowledged texts stay delivered after a restart": async ({ storage, reopen }) => {
    const messages = await fillQueue(storage.teleprinter, 3);
    await acknowledge(storage.teleprinter, messages[1]?.id ?? 0);
    const { teleprinter } = await reopen();
    assert.deepEqual(await take(teleprinter), messages.slice(2));
  },

  "a page shows both directions, newest first, and whether there is more": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter, { deviceId: "printer-2", owner: 7 });
    const kindOf = (index: number) => (index % 3 === 2 ? { deviceId: "printer-2" } : { direction: directionOf(index) });
    const texts = Array.from({ length: 21 }, (_, index) => textTo(`${index}`, kindOf(index)));
    const messages = await appendTexts(teleprinter, texts);
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
