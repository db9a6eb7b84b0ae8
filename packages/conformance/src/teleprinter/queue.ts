import { newText } from "@telex/core/storage";
import type { StorageCase } from "../support/case.ts";
import assert from "node:assert/strict";
import {
  countOutcomes,
  expectId,
  expectOutcome,
  expectRising,
  fieldsOf,
  sorted,
  withOutcome,
} from "../support/expect.ts";
import {
  appendTexts,
  claim,
  directionOf,
  fillQueue,
  idsOf,
  now,
  pageAll,
  printer,
  take,
  textFrom,
  texts,
  textTo,
} from "../support/fixtures.ts";
import { defineQueueCases } from "./queue-kit.ts";
import { once, expectRepeat, idsIn } from "./queue-kit.ts";

/** Another device of the same owner. */
export const other = { deviceId: "printer-2", owner: 7 };

/** Promises of a storage about texts on their way into a device's queue. */
export const appendCases: readonly StorageCase[] = defineQueueCases("teleprinter append", {
  "a text is kept as given, under an id of its own": async ({ storage: { teleprinter } }) => {
    const { message } = withOutcome(await teleprinter.append(textTo("hello", { now: now + 5 })), "appended");
    expectId(message.id);
    const text = { direction: "to_device", content: "hello", delivered: false, room: false, createdAt: now + 5 };
    assert.deepEqual(message, { ...newText, id: message.id, deviceId: printer.deviceId, ...text });
  },

  "a text to a device waits, and is no sign of life": async ({ storage: { teleprinter } }) => {
    const { message, device } = withOutcome(await teleprinter.append(textTo("hello", { now: now + 5 })), "appended");
    assert.equal(device.lastSeen, now);
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
    assert.deepEqual(await take(teleprinter), [message]);
  },

  "a text from a device is delivered, and does not wait": async ({ storage: { teleprinter } }) => {
    const { message } = withOutcome(await teleprinter.append(textFrom("hello")), "appended");
    assert.equal(message.delivered, true);
    assert.deepEqual(await take(teleprinter), []);
    assert.deepEqual(await pageAll(teleprinter), [message]);
  },

  "a text from a device is a sign of life": async ({ storage: { teleprinter } }) => {
    await teleprinter.leaveDevice(printer);
    const { device } = withOutcome(await teleprinter.append(textFrom("hello", { now: now + 5 })), "appended");
    assert.deepEqual([device.lastSeen, device.away], [now + 5, false]);
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
  },

  "texts that wait for all devices are counted, held ones included": async ({ storage: { teleprinter }, reopen }) => {
    assert.equal(await teleprinter.countQueued(), 0);
    const foreign = { deviceId: "printer-2", owner: 9 };
    await claim(teleprinter, foreign);
    await appendTexts(teleprinter, [textTo("a"), textTo("b"), textFrom("c"), textTo("d", foreign)]);
    await take(teleprinter, { limit: 1 });
    assert.equal(await teleprinter.countQueued(), 3);
    await teleprinter.acknowledge({ ...foreign, upTo: Number.MAX_SAFE_INTEGER, limit: 1, now });
    const reopened = (await reopen()).teleprinter;
    const [first] = await take(reopened, { limit: 1 });
    await reopened.deliver({ deviceId: printer.deviceId, holder: "poll-1", ids: [first?.id ?? 0] });
    assert.equal(await reopened.countQueued(), 2);
    await reopened.releaseDevice(printer);
    assert.equal(await reopened.countQueued(), 1);
  },

  "texts come back as they were": async ({ storage, reopen }) => {
    const appends = texts.map((content) => textTo(content));
    await appendTexts(storage.teleprinter, appends);
    const { teleprinter } = await reopen();
    assert.deepEqual(fieldsOf(await take(teleprinter), "content"), texts);
  },

  "ids rise in the order of the calls": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter, other);
    const kindOf = (index: number) => (index % 3 === 0 ? other : { direction: directionOf(index) });
    const appends = Array.from({ length: 60 }, (_, index) => textTo(`${index}`, kindOf(index)));
    const messages = await appendTexts(teleprinter, appends);
    for (const { deviceId } of [printer, other]) {
      const own = messages.filter((message) => message.deviceId === deviceId);
      expectRising(idsOf(own), `The ids of ${deviceId}`);
    }
    const ofPrinter = messages.filter(({ deviceId }) => deviceId === printer.deviceId);
    assert.deepEqual(await pageAll(teleprinter), ofPrinter.toReversed());
  },

  "a full queue refuses, and stores nothing": async ({ storage: { teleprinter } }) => {
    await fillQueue(teleprinter, 3);
    assert.deepEqual(await teleprinter.append(textTo("more", { queueLimit: 3 })), { outcome: "full" });
    assert.equal((await pageAll(teleprinter)).length, 3);
    expectOutcome(await teleprinter.append(textTo("more", { queueLimit: 4 })), "appended");
  },

  "expired texts do not count against the limit of a queue": async ({ storage: { teleprinter } }) => {
    await fillQueue(teleprinter, 1);
    await appendTexts(teleprinter, [textTo("short", { expiresAt: now + 1 }), textTo("longer", { expiresAt: now + 2 })]);
    const more = (at: number) => teleprinter.append(textTo("more", { queueLimit: 3, now: at }));
    assert.deepEqual(await more(now), { outcome: "full" });
    expectOutcome(await more(now + 1), "appended");
    assert.deepEqual(await more(now + 1), { outcome: "full" });
    expectOutcome(await more(now + 2), "appended");
    assert.deepEqual(await more(now + 2), { outcome: "full" });
  },

  "a full queue takes texts from the device, and answers repeats": async ({ storage: { teleprinter } }) => {
    const [first] = await appendTexts(teleprinter, [{ ...once, queueLimit: 1 }]);
    expectOutcome(await teleprinter.append(textFrom("from", { queueLimit: 1 })), "appended");
    await expectRepeat(teleprinter, { ...once, queueLimit: 1 }, first);
  },

  "held texts still wait, delivered ones do not": async ({ storage: { teleprinter } }) => {
    await fillQueue(teleprinter, 2);
    const held = await take(teleprinter, { limit: 1 });
    assert.deepEqual(await teleprinter.append(textTo("more", { queueLimit: 2 })), { outcome: "full" });
    await teleprinter.deliver({ ...printer, holder: "poll-1", ids: idsOf(held) });
    expectOutcome(await teleprinter.append(textTo("more", { queueLimit: 2 })), "appended");
  },

  "of 20 simultaneous texts, a queue with room for 5 takes exactly 5": async ({ storage, race }) => {
    await fillQueue(storage.teleprinter, 3);
    const appends = await race(20, ({ teleprinter }) => teleprinter.append(textTo("text", { queueLimit: 8 })));
    assert.deepEqual(countOutcomes(appends), { appended: 5, full: 15 });
    assert.equal((await take(storage.teleprinter)).length, 8);
  },

  "simultaneous texts of many senders all get ids of their own": async ({ storage, race }) => {
    const appends = await race(40, ({ teleprinter }, caller) => teleprinter.append(textTo(`text ${caller}`)));
    const ids = idsIn(appends);
    assert.equal(new Set(ids).size, 40);
    assert.deepEqual(idsOf(await take(storage.teleprinter)), sorted(ids));
  },
});
