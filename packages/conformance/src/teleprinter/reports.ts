import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { withOutcome } from "../support/expect.ts";
import { claim, now, printer } from "../support/fixtures.ts";

/** Promises about tags of devices, and about the reports of devices. */
export const reportCases: readonly StorageCase[] = defineCases("teleprinter reports", {
  "a device keeps its tags until it is claimed with others": async ({ storage: { teleprinter }, reopen }) => {
    const tags: (readonly string[])[] = [];
    for (const report of [{ tags: ["厨房", "b"] }, {}, { tags: [] }, {}]) {
      const claimed = await teleprinter.claimDevice({ ...printer, name: "Printer", now, ...report });
      if ("device" in claimed) tags.push(claimed.device.tags);
      assert.deepEqual("device" in claimed && claimed.device, await teleprinter.findDevice(printer.deviceId));
    }
    assert.deepEqual(tags, [["厨房", "b"], ["厨房", "b"], [], []]);
    await teleprinter.claimDevice({ ...printer, name: "Printer", now, tags: ["kept"] });
    assert.deepEqual((await (await reopen()).teleprinter.findDevice(printer.deviceId))?.tags, ["kept"]);
  },

  "an amended device has the given fields, and nothing else is different": async ({
    storage: { teleprinter },
    reopen,
  }) => {
    await claim(teleprinter);
    const before = withOutcome(await teleprinter.leaveDevice(printer), "left").device;
    const report = { program: "p 1", transport: "mqtt", can: ["cut", "切"], fault: "paper out", faultAt: now + 1 };
    const amended = await teleprinter.amendDevice({ ...printer, change: report });
    assert.deepEqual(amended, { outcome: "amended", device: { ...before, ...report } });
    await teleprinter.amendDevice({ ...printer, change: { fault: null, faultAt: null } });
    const device = { ...before, ...report, fault: null, faultAt: null };
    assert.deepEqual(await (await reopen()).teleprinter.findDevice(printer.deviceId), device);
  },

  "simultaneous changes of different fields are all kept": async ({ storage, race }) => {
    await claim(storage.teleprinter);
    const changes = [{ fault: "cover open", faultAt: now }, { program: "p 2" }, { can: ["cut"] }, { name: "Hall" }];
    await race(changes.length, ({ teleprinter }, caller) =>
      teleprinter.amendDevice({ ...printer, change: changes[caller] ?? {} }),
    );
    const device = await storage.teleprinter.findDevice(printer.deviceId);
    assert.deepEqual(
      [device?.fault, device?.program, device?.can, device?.name],
      ["cover open", "p 2", ["cut"], "Hall"],
    );
  },
});
