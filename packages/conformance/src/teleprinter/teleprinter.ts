import assert from "node:assert/strict";
import type { DeviceKey, TeleprinterStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectOutcome, expectRising, fieldsOf, upTo, withOutcome } from "../support/expect.ts";
import { defineQueueCases } from "./queue-kit.ts";
import {
  appendTexts,
  claim,
  fillQueue,
  idsOf,
  now,
  pageAll,
  printer,
  take,
  textFrom,
  textTo,
} from "../support/fixtures.ts";

const nothing = { ai: null, roomId: null, roomMentions: false };

const stranger: DeviceKey = { ...printer, owner: 8 };

/** A claim of one of the printer's owner, who may have three devices. */
const limited = (number: number) => ({ ...printer, deviceId: `d-${number}`, name: "One", now, deviceLimit: 3 });

async function claimAllowed(store: TeleprinterStore): Promise<void> {
  for (const number of [0, 1, 2]) await store.claimDevice(limited(number));
}

/** Claims devices so many milliseconds after the beginning, all simultaneously. */
async function claimSeen(store: TeleprinterStore, seen: Readonly<Record<string, number>>): Promise<void> {
  const claims = Object.entries(seen).map(([deviceId, at]) => ({ deviceId, owner: 7, name: deviceId, now: now + at }));
  await Promise.all(claims.map((one) => store.claimDevice(one)));
}

/** Releases a device of which a poll holds a text, for another owner. The ids of its texts. */
async function passOnWithText(store: TeleprinterStore): Promise<number[]> {
  await appendTexts(store, [textTo("old", { nonce: "n" })]);
  const held = await take(store);
  await store.releaseDevice(printer);
  await claim(store, stranger);
  return idsOf(held);
}

/** Every verb that names a device and its holder. */
const guardedVerbs = (store: TeleprinterStore, key: DeviceKey): Promise<{ readonly outcome: string }[]> =>
  Promise.all([
    store.renameDevice({ ...key, name: "Renamed" }),
    store.touchDevice({ ...key, now: now + 1 }),
    store.leaveDevice(key),
    store.append(textTo("text", key)),
    store.append(textFrom("text", { ...key, now: now + 1 })),
    store.take({ ...key, limit: 10, holder: "stranger", now, until: now + 1000 }),
    store.acknowledge({ ...key, upTo: 0, limit: 10, now }),
    store.page({ ...key, before: null, limit: 10 }),
    store.releaseDevice(key),
  ]);

/** Promises about IDs and their holders. */
const claimCases = defineCases("teleprinter", {
  "a free ID goes to the user who claims it": async ({ storage: { teleprinter } }) => {
    const claimed = await teleprinter.claimDevice({ ...printer, name: "Drucker 打印机", now });
    const device = { ...printer, name: "Drucker 打印机", createdAt: now, lastSeen: now, away: false, ...nothing };
    assert.deepEqual(claimed, { outcome: "claimed", device });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
  },

  "simultaneous claims and pairings give an owner no more devices than the limit": async ({ storage }) => {
    const claims = upTo(5).map((number) => storage.teleprinter.claimDevice(limited(number)));
    const pairings = upTo(5).map((number) => storage.teleprinter.pairDevice(limited(5 + number)));
    assert.deepEqual(countOutcomes(await Promise.all([...claims, ...pairings])), { claimed: 3, full: 7 });
    assert.equal((await storage.teleprinter.listDevices(printer.owner)).length, 3);
  },

  "a device that its owner has does not count against the limit again": async ({ storage: { teleprinter } }) => {
    await claimAllowed(teleprinter);
    expectOutcome(await teleprinter.claimDevice(limited(1)), "renewed");
    expectOutcome(await teleprinter.pairDevice(limited(1)), "renewed");
  },

  "an owner at the limit gets no device, and no generation": async ({ storage: { teleprinter } }) => {
    await claimAllowed(teleprinter);
    expectOutcome(await teleprinter.pairDevice(limited(21)), "full");
    assert.equal(await teleprinter.findDevice("d-21"), null);
    assert.equal(await teleprinter.findGeneration("d-21"), 0);
  },

  "every owner has a limit of their own": async ({ storage: { teleprinter } }) => {
    await claimAllowed(teleprinter);
    expectOutcome(await teleprinter.claimDevice({ ...limited(20), owner: 8 }), "claimed");
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
    assert.deepEqual(await teleprinter.renameDevice({ ...printer, name: "打印机" }), { outcome: "renamed", device });
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

  "an ID that nobody registered is no device": async ({ storage: { teleprinter } }) => {
    assert.equal(await teleprinter.findDevice("nobody"), null);
    const outcomes = await guardedVerbs(teleprinter, printer);
    assert.deepEqual(countOutcomes(outcomes), { missing: 9 });
    assert.equal(await teleprinter.findDevice(printer.deviceId), null);
  },

  "an ID that nobody registered has no texts to deliver or to put back": async ({ storage: { teleprinter } }) => {
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

/** Promises about a device that is claimed. */
const claimedCases = defineQueueCases("teleprinter", {
  "claiming one's own device again renames it and is a sign of life": async ({ storage: { teleprinter } }) => {
    await teleprinter.leaveDevice(printer);
    const renewed = await teleprinter.claimDevice({ ...printer, name: "Renamed", now: now + 5 });
    const device = { ...printer, name: "Renamed", createdAt: now, lastSeen: now + 5, away: false, ...nothing };
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

  "an ID that somebody else holds is taken, and stays as it is": async ({ storage: { teleprinter } }) => {
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
    const device = { ...printer, name: "Printer", createdAt: now, lastSeen: now, away: true, ...nothing };
    assert.deepEqual(left, { outcome: "left", device });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
  },

  "who does not hold a device is refused by every verb, and changes nothing": async ({ storage: { teleprinter } }) => {
    const messages = await fillQueue(teleprinter, 2);
    const before = await teleprinter.findDevice(printer.deviceId);
    assert.deepEqual(countOutcomes(await guardedVerbs(teleprinter, stranger)), { not_owner: 9 });
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

  "what was held before a release is not delivered after it": async ({ storage: { teleprinter } }) => {
    const ids = await passOnWithText(teleprinter);
    assert.deepEqual(await teleprinter.deliver({ ...printer, holder: "poll-1", ids }), []);
  },

  "of 10 simultaneous releases exactly one releases": async ({ race }) => {
    const releases = await race(10, ({ teleprinter }) => teleprinter.releaseDevice(printer));
    assert.deepEqual(countOutcomes(releases), { released: 1, missing: 9 });
  },

  "what is stored while a device is released does not outlive it": async ({ storage, race }) => {
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

/** Promises of a storage about devices. */
export const teleprinterCases: readonly StorageCase[] = [...claimCases, ...claimedCases];
