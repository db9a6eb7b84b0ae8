import assert from "node:assert/strict";
import { newDevice } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, withOutcome } from "../support/expect.ts";
import { appendTexts, claim, now, printer, textTo } from "../support/fixtures.ts";

const { deviceId } = printer;
const pairing = { ...printer, name: "Paired", now: now + 5 };
/** A device that has just been paired, and has no model and prints no room. */
const unused = { lastSeen: pairing.now, away: false, ...newDevice };

/** Promises of a storage about the generations of device IDs. */
export const generationCases: readonly StorageCase[] = defineCases("device generations", {
  "an ID begins with generation 0, also once it is claimed": async ({ storage: { teleprinter } }) => {
    assert.equal(await teleprinter.findGeneration(deviceId), 0);
    await claim(teleprinter);
    await teleprinter.claimDevice({ ...printer, name: "Renamed", now });
    assert.equal(await teleprinter.findGeneration(deviceId), 0);
  },

  "pairing a free ID claims it and raises its generation": async ({ storage, reopen }) => {
    const paired = await storage.teleprinter.pairDevice(pairing);
    const device = { ...printer, ...unused, name: "Paired", createdAt: now + 5 };
    assert.deepEqual(paired, { outcome: "claimed", device });
    const { teleprinter } = await reopen();
    assert.deepEqual(await teleprinter.findDevice(deviceId), device);
    assert.equal(await teleprinter.findGeneration(deviceId), 1);
  },

  "pairing one's own device again raises its generation, and keeps name, model and texts": async ({
    storage: { teleprinter },
  }) => {
    await teleprinter.claimDevice({ ...printer, name: "Printer", now, ai: "echo" });
    const [text] = await appendTexts(teleprinter, [textTo("waits")]);
    await teleprinter.leaveDevice(printer);
    const paired = await teleprinter.pairDevice(pairing);
    const device = { ...printer, ...unused, name: "Printer", createdAt: now, ai: "echo" };
    assert.deepEqual(paired, { outcome: "renewed", device });
    assert.deepEqual(await teleprinter.findDevice(deviceId), device);
    assert.equal(await teleprinter.findGeneration(deviceId), 1);
    const page = withOutcome(await teleprinter.page({ ...printer, before: null, limit: 10 }), "page");
    assert.deepEqual(page.messages, [text]);
  },

  "another user's device cannot be paired, and keeps its generation": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    const before = await teleprinter.findDevice(deviceId);
    assert.deepEqual(await teleprinter.pairDevice({ ...pairing, owner: 8 }), { outcome: "taken" });
    assert.deepEqual(await teleprinter.findDevice(deviceId), before);
    assert.equal(await teleprinter.findGeneration(deviceId), 0);
  },

  "releasing raises the generation, which outlives the device": async ({ storage, reopen }) => {
    const { teleprinter } = storage;
    await claim(teleprinter);
    assert.deepEqual(await teleprinter.releaseDevice({ ...printer, owner: 8 }), { outcome: "not_owner" });
    assert.equal(await teleprinter.findGeneration(deviceId), 0);
    await teleprinter.releaseDevice(printer);
    assert.equal(await teleprinter.findGeneration(deviceId), 1);
    await claim(teleprinter);
    await teleprinter.releaseDevice(printer);
    const { teleprinter: later } = await reopen();
    assert.equal(await later.findGeneration(deviceId), 2);
    assert.equal(await later.findGeneration("another"), 0);
  },

  "of 20 owners that pair a free ID simultaneously exactly one gets it": async ({ storage, race }) => {
    const paired = await race(20, ({ teleprinter }, caller) =>
      teleprinter.pairDevice({ ...pairing, owner: caller + 1 }),
    );
    assert.deepEqual(countOutcomes(paired), { claimed: 1, taken: 19 });
    assert.equal(await storage.teleprinter.findGeneration(deviceId), 1);
  },

  "of 20 pairings of one device every one raises its generation": async ({ storage, race }) => {
    await claim(storage.teleprinter);
    await race(20, ({ teleprinter }) => teleprinter.pairDevice(pairing));
    assert.equal(await storage.teleprinter.findGeneration(deviceId), 20);
  },
});
