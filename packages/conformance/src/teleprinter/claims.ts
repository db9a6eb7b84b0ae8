import type { StorageCase } from "../support/case.ts";
import { newDevice, type TeleprinterStore } from "@telex/core/storage";
import assert from "node:assert/strict";
import { defineCases } from "../support/case.ts";
import { countOutcomes, expectRising, fieldsOf, withOutcome } from "../support/expect.ts";
import { claim, fillQueue, idsOf, now, printer } from "../support/fixtures.ts";
import { guardedVerbs } from "./device-kit.ts";

/** Claims devices simultaneously, this number of milliseconds after the beginning. */
async function claimSeen(store: TeleprinterStore, seen: Readonly<Record<string, number>>): Promise<void> {
  const claims = Object.entries(seen).map(([deviceId, at]) => ({ deviceId, owner: 7, name: deviceId, now: now + at }));
  await Promise.all(claims.map((one) => store.claimDevice(one)));
}

/** Promises about IDs and their holders. */
export const claimCases: readonly StorageCase[] = defineCases("teleprinter", {
  "a free ID goes to the user who claims it": async ({ storage: { teleprinter } }) => {
    const claimed = await teleprinter.claimDevice({ ...printer, name: "Drucker 打印机", now });
    const device = { ...printer, name: "Drucker 打印机", createdAt: now, lastSeen: now, away: false, ...newDevice };
    assert.deepEqual(claimed, { outcome: "claimed", device });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
  },

  "a device keeps its model until it is claimed with another or with none": async ({ storage: { teleprinter } }) => {
    const models: (string | null)[] = [];
    for (const model of [{ ai: "fast" }, {}, { ai: "large" }, { ai: null }, {}]) {
      const claimed = await teleprinter.claimDevice({ ...printer, name: "Printer", now, ...model });
      if ("device" in claimed) models.push(claimed.device.ai);
      assert.deepEqual("device" in claimed && claimed.device, await teleprinter.findDevice(printer.deviceId));
    }
    assert.deepEqual(models, ["fast", "fast", "large", null, null]);
  },

  "a device keeps its model when it leaves and comes back": async ({ storage: { teleprinter } }) => {
    await teleprinter.claimDevice({ ...printer, name: "Printer", now, ai: "fast" });
    await teleprinter.leaveDevice(printer);
    const { device } = withOutcome(await teleprinter.touchDevice({ ...printer, now: now + 1 }), "touched");
    assert.equal(device.ai, "fast");
    assert.deepEqual(fieldsOf(await teleprinter.listDevices(printer.owner), "ai"), ["fast"]);
  },

  "a renamed device has another name, and nothing else is different": async ({ storage: { teleprinter }, reopen }) => {
    await teleprinter.claimDevice({ ...printer, name: "Printer", now: now + 5, ai: "fast" });
    const left = withOutcome(await teleprinter.leaveDevice(printer), "left");
    const device = { ...left.device, name: "打印机" };
    assert.deepEqual(await teleprinter.amendDevice({ ...printer, change: { name: "打印机" } }), {
      outcome: "amended",
      device,
    });
    assert.deepEqual(await (await reopen()).teleprinter.findDevice(printer.deviceId), device);
  },

  "of 20 owners that claim a free ID simultaneously exactly one gets it": async ({ storage, race }) => {
    const claimBy = (owner: number) => ({ deviceId: "wanted", owner, name: `Owner ${owner}`, now });
    const claims = await race(20, ({ teleprinter }, caller) => teleprinter.claimDevice(claimBy(caller + 1)));
    assert.deepEqual(countOutcomes(claims), { claimed: 1, taken: 19 });
    const winners = claims.flatMap((result) => (result.outcome === "claimed" ? [result.device] : []));
    assert.deepEqual([await storage.teleprinter.findDevice("wanted")], winners);
  },

  "of 20 simultaneous claims of one owner one claims and 19 renew": async ({ race }) => {
    const claims = await race(20, ({ teleprinter }) => teleprinter.claimDevice({ ...printer, name: "Mine", now }));
    assert.deepEqual(countOutcomes(claims), { claimed: 1, renewed: 19 });
  },

  "a list has the devices of its owner, last seen first, ties by ID": async ({ storage: { teleprinter } }) => {
    await claimSeen(teleprinter, { b: 5, a: 5, C: 5, late: 9, early: 1 });
    await claim(teleprinter, { deviceId: "foreign", owner: 8 });
    assert.deepEqual(fieldsOf(await teleprinter.listDevices(7), "deviceId"), ["late", "C", "a", "b", "early"]);
    assert.deepEqual(await teleprinter.listDevices(9), []);
  },

  "a sign of life puts a device first in the list": async ({ storage: { teleprinter } }) => {
    await claimSeen(teleprinter, { late: 9, early: 1 });
    await teleprinter.touchDevice({ deviceId: "early", owner: 7, now: now + 20 });
    assert.deepEqual(fieldsOf(await teleprinter.listDevices(7), "deviceId"), ["early", "late"]);
  },

  "IDs differ by every letter": async ({ storage: { teleprinter } }) => {
    const ids = ["printer", "Printer", "printer-", "printer_"];
    for (const deviceId of ids) await claim(teleprinter, { deviceId, owner: 7 });
    assert.equal((await teleprinter.listDevices(7)).length, 4);
    assert.equal(await teleprinter.findDevice("PRINTER"), null);
  },

  "an unregistered ID is not a device": async ({ storage: { teleprinter } }) => {
    assert.equal(await teleprinter.findDevice("nobody"), null);
    const outcomes = await guardedVerbs(teleprinter, printer);
    assert.deepEqual(countOutcomes(outcomes), { missing: 12 });
    assert.equal(await teleprinter.findDevice(printer.deviceId), null);
  },

  "an unregistered ID has no texts to deliver or to put back": async ({ storage: { teleprinter } }) => {
    assert.deepEqual(await teleprinter.deliver({ deviceId: "nobody", holder: "poll-1", ids: [1] }), []);
    await teleprinter.requeue({ deviceId: "nobody", holder: "poll-1" });
  },

  "ids are never given again, not even after a release": async ({ storage: { teleprinter }, reopen }) => {
    const given: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      await claim(teleprinter);
      given.push(...idsOf(await fillQueue(teleprinter, 3)));
      await teleprinter.releaseDevice(printer);
    }
    const { teleprinter: restarted } = await reopen();
    await claim(restarted);
    given.push(...idsOf(await fillQueue(restarted, 2)));
    expectRising(given, "The ids of a device's messages");
  },
});
