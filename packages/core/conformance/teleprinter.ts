import assert from "node:assert/strict";
import type { DeviceKey, TeleprinterStore } from "../src/teleprinter/store.ts";
import { defineCases, type StorageCase } from "./case.ts";
import { countOutcomes, expectOutcome, expectRising } from "./expect.ts";
import { appendTexts, claim, fillQueue, idsOf, now, pageAll, printer, take, textFrom, textTo } from "./fixtures.ts";

const nothing = { ai: null, roomId: null, roomMentions: false };

const stranger: DeviceKey = { ...printer, owner: 8 };

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

/** What a storage promises of devices. */
export const teleprinterCases: readonly StorageCase[] = defineCases("teleprinter", {
  "a free ID goes to the user who claims it": async ({ storage: { teleprinter } }) => {
    const claimed = await teleprinter.claimDevice({ ...printer, name: "Drucker 打印机", now });
    const device = { ...printer, name: "Drucker 打印机", createdAt: now, lastSeen: now, away: false, ...nothing };
    assert.deepEqual(claimed, { outcome: "claimed", device });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
  },

  "an owner gets no more devices than the limit, however many are claimed and paired simultaneously": async ({
    storage: { teleprinter },
  }) => {
    const claimOf = (number: number) => ({ ...printer, deviceId: `d-${number}`, name: "One", now, deviceLimit: 3 });
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, number) =>
        number % 2 === 0 ? teleprinter.claimDevice(claimOf(number)) : teleprinter.pairDevice(claimOf(number)),
      ),
    );
    assert.deepEqual(countOutcomes(outcomes), { claimed: 3, full: 7 });
    const held = await teleprinter.listDevices(printer.owner);
    assert.equal(held.length, 3);
    const [one] = held;
    const again = { ...claimOf(0), deviceId: one?.deviceId ?? "" };
    assert.equal((await teleprinter.claimDevice(again)).outcome, "renewed");
    assert.equal((await teleprinter.pairDevice(again)).outcome, "renewed");
    assert.equal((await teleprinter.claimDevice({ ...claimOf(20), owner: 8 })).outcome, "claimed");
    assert.equal(await teleprinter.findDevice("d-21"), null);
    assert.equal((await teleprinter.pairDevice(claimOf(21))).outcome, "full");
    assert.equal(await teleprinter.findGeneration("d-21"), 0);
  },

  "claiming one's own device again renames it and is a sign of life": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await teleprinter.leaveDevice(printer);
    const renewed = await teleprinter.claimDevice({ ...printer, name: "Renamed", now: now + 5 });
    const device = { ...printer, name: "Renamed", createdAt: now, lastSeen: now + 5, away: false, ...nothing };
    assert.deepEqual(renewed, { outcome: "renewed", device });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
  },

  "a device keeps its model when it is claimed without one, until it is claimed with another or with none": async ({
    storage: { teleprinter },
  }) => {
    const models: (string | null | undefined)[] = [];
    for (const ai of ["fast", undefined, "large", null, undefined]) {
      const claimed = await teleprinter.claimDevice({
        ...printer,
        name: "Printer",
        now,
        ...(ai !== undefined && { ai }),
      });
      assert.deepEqual("device" in claimed && claimed.device, await teleprinter.findDevice(printer.deviceId));
      models.push((await teleprinter.findDevice(printer.deviceId))?.ai);
    }
    assert.deepEqual(models, ["fast", "fast", "large", null, null]);
    await teleprinter.claimDevice({ ...printer, name: "Printer", now, ai: "fast" });
    await teleprinter.leaveDevice(printer);
    const touched = await teleprinter.touchDevice({ ...printer, now: now + 1 });
    assert.equal("device" in touched && touched.device.ai, "fast");
    assert.equal((await teleprinter.listDevices(printer.owner))[0]?.ai, "fast");
  },

  "a renamed device has another name, and nothing else is different": async ({ storage, reopen }) => {
    const { teleprinter } = storage;
    await teleprinter.claimDevice({ ...printer, name: "Printer", now: now + 5, ai: "fast" });
    await teleprinter.leaveDevice(printer);
    const before = await teleprinter.findDevice(printer.deviceId);
    assert.ok(before !== null);
    const device = { ...before, name: "打印机" };
    assert.deepEqual(await teleprinter.renameDevice({ ...printer, name: "打印机" }), { outcome: "renamed", device });
    assert.deepEqual(await (await reopen()).teleprinter.findDevice(printer.deviceId), device);
  },

  "claiming one's own device again keeps its messages": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const messages = await fillQueue(teleprinter, 3);
    await teleprinter.claimDevice({ ...printer, name: "Again", now: now + 1 });
    assert.deepEqual(await take(teleprinter), messages);
  },

  "an ID that somebody else holds is taken, and stays as it is": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const before = await teleprinter.findDevice(printer.deviceId);
    assert.deepEqual(await teleprinter.claimDevice({ ...stranger, name: "Mine", now: now + 1 }), { outcome: "taken" });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), before);
  },

  "of 20 owners that claim a free ID simultaneously exactly one gets it": async ({ storage, race }) => {
    const claims = await race(20, ({ teleprinter }, owner) =>
      teleprinter.claimDevice({ deviceId: "wanted", owner: owner + 1, name: `Owner ${owner + 1}`, now }),
    );
    assert.deepEqual(countOutcomes(claims), { claimed: 1, taken: 19 });
    const [winner] = claims.flatMap((result) => (result.outcome === "claimed" ? [result.device] : []));
    assert.deepEqual(await storage.teleprinter.findDevice("wanted"), winner);
  },

  "of 20 simultaneous claims of one owner one claims and 19 renew": async ({ race }) => {
    const claims = await race(20, ({ teleprinter }) => teleprinter.claimDevice({ ...printer, name: "Mine", now }));
    assert.deepEqual(countOutcomes(claims), { claimed: 1, renewed: 19 });
  },

  "a sign of life moves lastSeen forward, never back, and ends away": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await teleprinter.leaveDevice(printer);
    const later = await teleprinter.touchDevice({ ...printer, now: now + 100 });
    expectOutcome(later, "touched");
    assert.deepEqual([later.device.lastSeen, later.device.away], [now + 100, false]);
    await teleprinter.leaveDevice(printer);
    const earlier = await teleprinter.touchDevice({ ...printer, now: now + 50 });
    expectOutcome(earlier, "touched");
    assert.deepEqual([earlier.device.lastSeen, earlier.device.away], [now + 100, false]);
  },

  "of simultaneous signs of life the latest stays": async ({ storage, raceServers }) => {
    await claim(storage.teleprinter);
    const moments = [5, 19, 3, 40, 11, 38, 2, 40, 7, 23];
    await raceServers(10, ({ teleprinter }, caller) =>
      teleprinter.touchDevice({ ...printer, now: now + (moments[caller] ?? 0) }),
    );
    assert.equal((await storage.teleprinter.findDevice(printer.deviceId))?.lastSeen, now + 40);
  },

  "a sign of life is visible to every verb immediately": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const touched = await teleprinter.touchDevice({ ...printer, now: now + 10 });
    expectOutcome(touched, "touched");
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), touched.device);
    assert.deepEqual(await teleprinter.listDevices(printer.owner), [touched.device]);
    const appended = await teleprinter.append(textTo("text"));
    expectOutcome(appended, "appended");
    assert.deepEqual(appended.device, touched.device);
  },

  "a device that leaves is away, and was last seen when it was": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const left = await teleprinter.leaveDevice(printer);
    const device = { ...printer, name: "Printer", createdAt: now, lastSeen: now, away: true, ...nothing };
    assert.deepEqual(left, { outcome: "left", device });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
  },

  "a list has the devices of its owner, last seen first, ties by ID": async ({ storage: { teleprinter } }) => {
    const seen: Record<string, number> = { b: 5, a: 5, C: 5, late: 9, early: 1 };
    await Promise.all(
      Object.entries(seen).map(([deviceId, at]) =>
        teleprinter.claimDevice({ deviceId, owner: 7, name: deviceId, now: now + at }),
      ),
    );
    await claim(teleprinter, { deviceId: "foreign", owner: 8 });
    const list = await teleprinter.listDevices(7);
    assert.deepEqual(
      list.map(({ deviceId }) => deviceId),
      ["late", "C", "a", "b", "early"],
    );
    await teleprinter.touchDevice({ deviceId: "early", owner: 7, now: now + 20 });
    assert.equal((await teleprinter.listDevices(7))[0]?.deviceId, "early");
    assert.deepEqual(await teleprinter.listDevices(9), []);
  },

  "IDs differ by every letter": async ({ storage: { teleprinter } }) => {
    for (const deviceId of ["printer", "Printer", "printer-", "printer_"])
      await claim(teleprinter, { deviceId, owner: 7 });
    assert.equal((await teleprinter.listDevices(7)).length, 4);
    assert.equal(await teleprinter.findDevice("PRINTER"), null);
  },

  "an ID that nobody registered is no device": async ({ storage: { teleprinter } }) => {
    assert.equal(await teleprinter.findDevice("nobody"), null);
    const outcomes = await guardedVerbs(teleprinter, printer);
    assert.deepEqual(countOutcomes(outcomes), { missing: 9 });
    assert.deepEqual(await teleprinter.deliver({ deviceId: "nobody", holder: "poll-1", ids: [1] }), []);
    await teleprinter.requeue({ deviceId: "nobody", holder: "poll-1" });
    assert.equal(await teleprinter.findDevice(printer.deviceId), null);
  },

  "who does not hold a device is refused by every verb, and changes nothing": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const messages = await fillQueue(teleprinter, 2);
    const before = await teleprinter.findDevice(printer.deviceId);
    assert.deepEqual(countOutcomes(await guardedVerbs(teleprinter, stranger)), { not_owner: 9 });
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), before);
    assert.deepEqual(await take(teleprinter), messages);
    assert.equal((await pageAll(teleprinter)).length, 2);
  },

  "releasing frees the ID and deletes messages and nonces": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const [first] = await appendTexts(teleprinter, [textTo("old", { nonce: "n" })]);
    await take(teleprinter, { holder: "old-poll" });
    assert.deepEqual(await teleprinter.releaseDevice(printer), { outcome: "released" });
    assert.equal(await teleprinter.findDevice(printer.deviceId), null);
    assert.deepEqual(await teleprinter.listDevices(printer.owner), []);
    expectOutcome(await teleprinter.claimDevice({ ...stranger, name: "New", now }), "claimed");
    assert.deepEqual(await teleprinter.listDevices(printer.owner), []);
    assert.deepEqual(await pageAll(teleprinter, stranger), []);
    assert.deepEqual(await take(teleprinter, {}, stranger), []);
    assert.deepEqual(
      await teleprinter.deliver({ ...printer, holder: "old-poll", ids: idsOf(first ? [first] : []) }),
      [],
    );
    expectOutcome(await teleprinter.append(textTo("new", { ...stranger, nonce: "n" })), "appended");
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

  "of 10 simultaneous releases exactly one releases": async ({ storage, race }) => {
    await claim(storage.teleprinter);
    const releases = await race(10, ({ teleprinter }) => teleprinter.releaseDevice(printer));
    assert.deepEqual(countOutcomes(releases), { released: 1, missing: 9 });
  },

  "what is stored while a device is released does not outlive it": async ({ storage, race }) => {
    await claim(storage.teleprinter);
    const outcomes = await race<{ readonly outcome: string }>(20, ({ teleprinter }, caller) =>
      caller === 9 ? teleprinter.releaseDevice(printer) : teleprinter.append(textTo(`text ${caller}`)),
    );
    const { appended = 0, missing = 0, released } = countOutcomes(outcomes);
    assert.deepEqual([appended + missing, released], [19, 1]);
    await claim(storage.teleprinter);
    assert.deepEqual(await pageAll(storage.teleprinter), []);
    assert.deepEqual(await take(storage.teleprinter), []);
  },

  "devices survive a restart": async ({ storage, reopen }) => {
    await claim(storage.teleprinter);
    await claim(storage.teleprinter, { deviceId: "released", owner: 7 });
    await storage.teleprinter.releaseDevice({ deviceId: "released", owner: 7 });
    await storage.teleprinter.leaveDevice(printer);
    const before = await storage.teleprinter.listDevices(7);
    const { teleprinter } = await reopen();
    assert.deepEqual(await teleprinter.listDevices(7), before);
    assert.equal(await teleprinter.findDevice("released"), null);
    assert.deepEqual(await teleprinter.claimDevice({ ...stranger, name: "Mine", now }), { outcome: "taken" });
  },
});
