import type { DeviceMessageRecord, TeleprinterStore } from "@telex/core/storage";
import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { withOutcome } from "../support/expect.ts";
import { appendTexts, claim, idsOf, now, pageAll, printer, take, textTo } from "../support/fixtures.ts";

const acknowledge = async (
  store: TeleprinterStore,
  ack: Partial<Parameters<TeleprinterStore["acknowledge"]>[0]>,
): Promise<{ readonly messages: readonly DeviceMessageRecord[]; readonly marked: readonly number[] }> =>
  withOutcome(await store.acknowledge({ ...printer, upTo: 0, limit: 100, now, ...ack }), "acknowledged");

/** Everything of the device, oldest first: `waiting`, `delivered`, or how it ended. */
const states = async (store: TeleprinterStore): Promise<string[]> =>
  (await pageAll(store)).toReversed().map(({ delivered, ended }) => ended ?? (delivered ? "delivered" : "waiting"));

/** Promises about texts that expire, are given up, or are urgent. */
export const lifeCases: readonly StorageCase[] = defineCases("teleprinter lives", {
  "texts keep their title, application, priority and end": async ({ storage: { teleprinter }, reopen }) => {
    await claim(teleprinter);
    const properties = { title: "茶 \u2028", via: "模型", priority: 5, expiresAt: now + 60_000 };
    const [stored] = await appendTexts(teleprinter, [textTo("tea", properties)]);
    assert.deepEqual(stored, { ...stored, ...properties, shown: false, ended: null });
    assert.deepEqual(await pageAll((await reopen()).teleprinter), [stored]);
  },

  "a text that has expired is neither taken nor returned": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const lives = [now, now + 1, null].map((expiresAt) => textTo("text", { expiresAt }));
    const [, current, plain] = idsOf(await appendTexts(teleprinter, lives));
    assert.deepEqual(idsOf((await acknowledge(teleprinter, {})).messages), [current, plain]);
    assert.deepEqual(idsOf((await acknowledge(teleprinter, { now: now + 1 })).messages), [plain]);
    assert.deepEqual(idsOf(await take(teleprinter)), [current, plain]);
  },

  "a text that expired on its way counts if it is acknowledged": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const [first] = idsOf(await appendTexts(teleprinter, [textTo("shown", { expiresAt: now + 1 })]));
    await acknowledge(teleprinter, {});
    const rest = [textTo("never shown", { expiresAt: now + 1 }), textTo("plain")];
    const [, plain = 0] = idsOf(await appendTexts(teleprinter, rest));
    const { marked } = await acknowledge(teleprinter, { upTo: plain, now: now + 2 });
    assert.deepEqual(marked, [first, plain]);
    assert.deepEqual(await states(teleprinter), ["delivered", "waiting", "delivered"]);
  },

  "a text that its holder has on its way counts after it expired": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await appendTexts(teleprinter, [textTo("text", { expiresAt: now + 1 })]);
    const ids = idsOf(await take(teleprinter, { holder: "feed" }));
    assert.deepEqual(await teleprinter.deliver({ deviceId: printer.deviceId, holder: "feed", ids }), ids);
  },

  "texts that expired before a moment end, at most as many as asked, and no longer wait": async ({
    storage: { teleprinter },
    reopen,
  }) => {
    await claim(teleprinter);
    const lives = [now + 5, now + 1, now + 3, null].map((expiresAt) => textTo("text", { expiresAt }));
    await appendTexts(teleprinter, lives);
    assert.equal(await teleprinter.expireTexts({ before: now + 1, limit: 10 }), 0);
    assert.equal(await teleprinter.expireTexts({ before: now + 5, limit: 1 }), 1);
    assert.deepEqual(await states(teleprinter), ["waiting", "expired", "waiting", "waiting"]);
    assert.equal(await teleprinter.expireTexts({ before: now + 5, limit: 10 }), 1);
    const again = (await reopen()).teleprinter;
    assert.deepEqual(await states(again), ["waiting", "expired", "expired", "waiting"]);
    assert.equal(await again.countQueued(), 2);
  },

  "of 10 simultaneous sweeps each expired text is ended by one": async ({ storage, race }) => {
    await claim(storage.teleprinter);
    await appendTexts(
      storage.teleprinter,
      [1, 2, 3].map((life) => textTo("text", { expiresAt: now + life })),
    );
    await race(10, ({ teleprinter }) => teleprinter.expireTexts({ before: now + 10, limit: 10 }));
    assert.equal(await storage.teleprinter.countQueued(), 0);
  },

  "texts that are given up have failed": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const [a = 0, b = 0] = idsOf(await appendTexts(teleprinter, [textTo("a"), textTo("b"), textTo("c")]));
    await take(teleprinter, { holder: "feed" });
    const { deviceId } = printer;
    assert.deepEqual(await teleprinter.deliver({ deviceId, holder: "feed", ids: [a], ended: "failed", ends: true }), [
      a,
    ]);
    assert.deepEqual((await acknowledge(teleprinter, { failedIds: [a, b] })).marked, []);
    assert.deepEqual(await states(teleprinter), ["failed", "failed", "waiting"]);
    assert.equal(await teleprinter.countQueued(), 1);
  },

  "single ids are acknowledged, also above texts that wait": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const [a, b = 0, c] = idsOf(await appendTexts(teleprinter, [textTo("a"), textTo("b"), textTo("c")]));
    const { marked, messages } = await acknowledge(teleprinter, { ids: [b, b, 2 ** 50] });
    assert.deepEqual([marked, idsOf(messages)], [[b], [a, c]]);
  },

  "the most urgent texts come first on request, and ids rise among equals": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const texts = [3, 5, 1, 5].map((priority) => textTo("text", { priority }));
    const [usual, urgent, idle, alsoUrgent] = idsOf(await appendTexts(teleprinter, texts));
    const ordered = [urgent, alsoUrgent, usual, idle];
    assert.deepEqual(idsOf((await acknowledge(teleprinter, { order: "priority" })).messages), ordered);
    assert.deepEqual(idsOf((await acknowledge(teleprinter, { order: "priority", limit: 1 })).messages), [urgent]);
    assert.deepEqual(idsOf(await take(teleprinter, { order: "priority", limit: 3 })), ordered.slice(0, 3));
    assert.deepEqual(idsOf(await take(teleprinter)), [usual, urgent, idle, alsoUrgent]);
  },
});
