import type { DeviceScheduleRecord, TeleprinterStore } from "@telex/core/storage";
import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectOutcome, withOutcome } from "../support/expect.ts";
import { claim, idsOf, now, pageAll, printer, scheduled, textTo } from "../support/fixtures.ts";

const roomy = { deviceLimit: 100, ownerLimit: 100 };

const add = (store: TeleprinterStore, schedule: DeviceScheduleRecord, limits: Partial<typeof roomy> = {}) =>
  store.schedule({ ...schedule, ...roomy, ...limits });

const later = { ...printer, deviceId: "printer-2" };

/** Promises about texts that are sent later. */
export const scheduleCases: readonly StorageCase[] = defineCases("teleprinter schedules", {
  "schedules are kept, and listed by time": async ({ storage: { teleprinter }, reopen }) => {
    await claim(teleprinter);
    const schedules = [
      scheduled(9),
      scheduled(2 ** 47, { at: now + 5, title: "茶", priority: 5, life: 1000, nonce: "n" }),
    ];
    for (const one of [...schedules, scheduled(3)])
      assert.deepEqual(await add(teleprinter, one), { outcome: "scheduled", schedule: one });
    const listed = await (await reopen()).teleprinter.listSchedules(printer);
    assert.deepEqual(listed, { outcome: "schedules", schedules: [schedules[1], scheduled(3), schedules[0]] });
  },

  "an id that is there already is a repeat, or a conflict": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await add(teleprinter, scheduled(1));
    const repeated = await add(teleprinter, scheduled(1, { createdAt: now + 7 }), { deviceLimit: 1, ownerLimit: 1 });
    assert.deepEqual(repeated, { outcome: "repeated", schedule: scheduled(1) });
    expectOutcome(await add(teleprinter, scheduled(1, { content: "other" })), "nonce_conflict");
    expectOutcome(await add(teleprinter, scheduled(1, { at: now + 1 })), "nonce_conflict");
  },

  "due texts are listed by time, over all devices, and no others": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await claim(teleprinter, later);
    for (const one of [
      scheduled(1, { at: now + 2 }),
      scheduled(2, { at: now }),
      scheduled(3, { ...later, at: now + 1 }),
    ])
      await add(teleprinter, one);
    const due = async (at: number, limit = 10) => idsOf(await teleprinter.listDue({ now: at, limit }));
    assert.deepEqual([await due(now - 1), await due(now + 1), await due(now + 2)], [[], [2, 3], [2, 3, 1]]);
    assert.deepEqual(await due(now + 2, 1), [2]);
  },

  "the text of a schedule is stored once, and ends the schedule": async ({ storage, race }) => {
    const { teleprinter } = storage;
    await claim(teleprinter);
    await add(teleprinter, scheduled(5));
    const appended = await race(10, (store) => store.teleprinter.append(textTo("later 5", { scheduleId: 5 })));
    assert.deepEqual(countOutcomes(appended), { appended: 1, unscheduled: 9 });
    assert.deepEqual(withOutcome(await teleprinter.listSchedules(printer), "schedules").schedules, []);
    assert.equal((await pageAll(teleprinter)).length, 1);
  },

  "a repeat by its nonce ends the schedule, and a refusal does not": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await add(teleprinter, scheduled(5));
    await teleprinter.append(textTo("later 5", { nonce: "n" }));
    const text = { nonce: "n", scheduleId: 5 };
    expectOutcome(await teleprinter.append(textTo("other", text)), "nonce_conflict");
    expectOutcome(await teleprinter.append(textTo("other", { scheduleId: 5, queueLimit: 1 })), "full");
    expectOutcome(await teleprinter.append(textTo("later 5", text)), "repeated");
    expectOutcome(await teleprinter.append(textTo("later 5", text)), "unscheduled");
  },

  "simultaneous schedules give a device and an owner no more than their limits": async ({ storage, race }) => {
    await claim(storage.teleprinter);
    await claim(storage.teleprinter, later);
    const results = await race(10, ({ teleprinter }, caller) =>
      add(teleprinter, scheduled(caller + 1), { deviceLimit: 4, ownerLimit: 6 }),
    );
    assert.deepEqual(countOutcomes(results), { scheduled: 4, full: 6 });
    const others = await race(10, ({ teleprinter }, caller) =>
      add(teleprinter, scheduled(caller + 1, later), { deviceLimit: 4, ownerLimit: 6 }),
    );
    assert.deepEqual(countOutcomes(others), { scheduled: 2, full: 8 });
  },

  "a removed schedule is not sent, and is removed once": async ({ storage, race }) => {
    await claim(storage.teleprinter);
    await add(storage.teleprinter, scheduled(1));
    const ended = await race(5, ({ teleprinter }) => teleprinter.unschedule({ ...printer, id: 1 }));
    assert.deepEqual(countOutcomes(ended), { unscheduled: 1, absent: 4 });
    expectOutcome(await storage.teleprinter.append(textTo("text", { scheduleId: 1 })), "unscheduled");
  },

  "schedules end with their device": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter);
    await add(teleprinter, scheduled(1, { at: now }));
    await teleprinter.releaseDevice(printer);
    await claim(teleprinter);
    assert.deepEqual(await teleprinter.listDue({ now, limit: 10 }), []);
    assert.deepEqual(withOutcome(await teleprinter.listSchedules(printer), "schedules").schedules, []);
  },
});
