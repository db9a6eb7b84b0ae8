import type { StorageCase } from "../support/case.ts";
import type { TeleprinterStore } from "@telex/core/storage";
import assert from "node:assert/strict";
import { defineCases } from "../support/case.ts";
import { countOutcomes, expectOutcome, upTo } from "../support/expect.ts";
import { now, printer } from "../support/fixtures.ts";

/** A claim of one of the printer's owner, who may have three devices. */
const limited = (number: number) => ({ ...printer, deviceId: `d-${number}`, name: "One", now, deviceLimit: 3 });

async function claimAllowed(store: TeleprinterStore): Promise<void> {
  for (const number of [0, 1, 2]) await store.claimDevice(limited(number));
}

/** Promises about the number of devices that an owner may have. */
export const deviceLimitCases: readonly StorageCase[] = defineCases("teleprinter", {
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
});
