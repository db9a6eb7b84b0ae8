import { newDevice, type TeleprinterStore } from "@telex/core/storage";
import type { StorageCase } from "../support/case.ts";
import assert from "node:assert/strict";
import { countOutcomes, expectOutcome, withOutcome } from "../support/expect.ts";
import { defineQueueCases } from "./queue-kit.ts";
import { appendTexts, claim, fillQueue, idsOf, now, pageAll, printer, take, textTo } from "../support/fixtures.ts";
import { stranger, guardedVerbs } from "./device-kit.ts";

/** Releases a device while a poll holds one of its texts, and claims it for another owner. Returns the ids of its texts. */
async function passOnWithText(store: TeleprinterStore): Promise<number[]> {
  await appendTexts(store, [textTo("old", { nonce: "n" })]);
  const held = await take(store);
  await store.releaseDevice(printer);
  await claim(store, stranger);
  return idsOf(held);
}

/** Promises about a device that has an owner. */
export const deviceCases: readonly StorageCase[] = defineQueueCases("teleprinter", {
  "claiming one's own device again renames it and is a sign of life": async ({ storage: { teleprinter } }) => {
    await teleprinter.leaveDevice(printer);
    const renewed = await teleprinter.claimDevice({ ...printer, name: "Renamed", now: now + 5 });
    const device = { ...printer, name: "Renamed", createdAt: now, lastSeen: now + 5, away: false, ...newDevice };
    assert.deepEqual(
      [renewed, await teleprinter.findDevice(printer.deviceId)],
      [{ outcome: "renewed", device }, device],
    );
  },

  "claiming one's own device again keeps its messages": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 3);
    await teleprinter.claimDevice({ ...printer, name: "Again", now: now + 1 });
    assert.deepEqual(await take(teleprinter), messages);
  },

  "an ID that another user holds is taken, and does not change": async ({ storage: { teleprinter } }) => {
    const before = await teleprinter.findDevice(printer.deviceId);
    assert.deepEqual(await teleprinter.claimDevice({ ...stranger, name: "Mine", now: now + 1 }), { outcome: "taken" });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), before);
  },

  "a sign of life moves lastSeen forward, never back, and ends away": async ({ storage: { teleprinter } }) => {
    for (const moment of [now + 100, now + 50]) {
      await teleprinter.leaveDevice(printer);
      const { device } = withOutcome(await teleprinter.touchDevice({ ...printer, now: moment }), "touched");
      assert.deepEqual([device.lastSeen, device.away], [now + 100, false]);
    }
  },

  "of simultaneous signs of life the latest stays": async ({ storage, raceServers }) => {
    const touches = [5, 19, 3, 40, 11, 38, 2, 40, 7, 23].map((after) => ({ ...printer, now: now + after }));
    await raceServers(10, ({ teleprinter }, caller) => teleprinter.touchDevice(touches[caller] ?? { ...printer, now }));
    assert.equal((await storage.teleprinter.findDevice(printer.deviceId))?.lastSeen, now + 40);
  },

  "a sign of life is visible to every verb immediately": async ({ storage: { teleprinter } }) => {
    const { device } = withOutcome(await teleprinter.touchDevice({ ...printer, now: now + 10 }), "touched");
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
    assert.deepEqual(await teleprinter.listDevices(printer.owner), [device]);
    assert.deepEqual(withOutcome(await teleprinter.append(textTo("text")), "appended").device, device);
  },

  "a device that leaves is away, and was last seen when it was": async ({ storage: { teleprinter } }) => {
    const left = await teleprinter.leaveDevice(printer);
    const device = { ...printer, name: "Printer", createdAt: now, lastSeen: now, away: true, ...newDevice };
    assert.deepEqual(left, { outcome: "left", device });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
  },

  "every verb refuses a user who does not hold the device, and changes nothing": async ({
    storage: { teleprinter },
  }) => {
    const messages = await fillQueue(teleprinter, 2);
    const before = await teleprinter.findDevice(printer.deviceId);
    assert.deepEqual(countOutcomes(await guardedVerbs(teleprinter, stranger)), { not_owner: 12 });
    assert.deepEqual(
      [await teleprinter.findDevice(printer.deviceId), await pageAll(teleprinter)],
      [before, messages.toReversed()],
    );
    assert.deepEqual(await take(teleprinter), messages);
  },

  "releasing frees the ID": async ({ storage: { teleprinter } }) => {
    expectOutcome(await teleprinter.releaseDevice(printer), "released");
    assert.equal(await teleprinter.findDevice(printer.deviceId), null);
    expectOutcome(await teleprinter.claimDevice({ ...stranger, name: "New", now }), "claimed");
    assert.deepEqual(await teleprinter.listDevices(printer.owner), []);
  },

  "releasing deletes messages and nonces": async ({ storage: { teleprinter } }) => {
    await passOnWithText(teleprinter);
    assert.deepEqual(await pageAll(teleprinter, stranger), []);
    assert.deepEqual(await take(teleprinter, {}, stranger), []);
    expectOutcome(await teleprinter.append(textTo("new", { ...stranger, nonce: "n" })), "appended");
  },

  "texts that were held before a release are not delivered after it": async ({ storage: { teleprinter } }) => {
    const ids = await passOnWithText(teleprinter);
    assert.deepEqual(await teleprinter.deliver({ ...printer, holder: "poll-1", ids }), []);
  },

  "of 10 simultaneous releases exactly one releases": async ({ race }) => {
    const releases = await race(10, ({ teleprinter }) => teleprinter.releaseDevice(printer));
    assert.deepEqual(countOutcomes(releases), { released: 1, missing: 9 });
  },

  "texts that are stored while a device is released do not outlive it": async ({ storage, race }) => {
    const outcomes = await race<{ readonly outcome: string }>(20, ({ teleprinter }, caller) =>
      caller === 9 ? teleprinter.releaseDevice(printer) : teleprinter.append(textTo(`text ${caller}`)),
    );
    const { appended = 0, missing = 0, released } = countOutcomes(outcomes);
    assert.deepEqual([appended + missing, released], [19, 1]);
    await claim(storage.teleprinter);
    assert.deepEqual([await pageAll(storage.teleprinter), await take(storage.teleprinter)], [[], []]);
  },

  "devices survive a restart, with their owners": async ({ storage, reopen }) => {
    const { device } = withOutcome(await storage.teleprinter.leaveDevice(printer), "left");
    const { teleprinter } = await reopen();
    assert.deepEqual(await teleprinter.listDevices(7), [device]);
    assert.deepEqual(await teleprinter.claimDevice({ ...stranger, name: "Mine", now }), { outcome: "taken" });
  },

  "a released device stays released after a restart": async ({ storage, reopen }) => {
    await storage.teleprinter.releaseDevice(printer);
    const { teleprinter } = await reopen();
    assert.equal(await teleprinter.findDevice(printer.deviceId), null);
  },
});
