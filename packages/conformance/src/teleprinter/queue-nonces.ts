import type { StorageCase } from "../support/case.ts";
import assert from "node:assert/strict";
import { countOutcomes, withOutcome } from "../support/expect.ts";
import {
  appendTexts,
  claim,
  idsOf,
  now,
  nonceLife,
  pageAll,
  printer,
  take,
  textFrom,
  textTo,
} from "../support/fixtures.ts";
import { defineQueueCases } from "./queue-kit.ts";
import { once, saidOnce, expectRepeat, idsIn } from "./queue-kit.ts";
import { other } from "./queue.ts";

/** Promises about the nonces of texts. */
export const queueNonceCases: readonly StorageCase[] = defineQueueCases("teleprinter append", {
  "a repeated nonce stores nothing and answers with the first text": async ({ storage: { teleprinter } }) => {
    const [first] = await appendTexts(teleprinter, [once]);
    await expectRepeat(teleprinter, { ...once, now: now + nonceLife - 1 }, first);
    assert.equal((await pageAll(teleprinter)).length, 1);
  },

  "a repeat shows by now whether the text was delivered": async ({ storage: { teleprinter } }) => {
    const [first] = await appendTexts(teleprinter, [once]);
    const taken = await take(teleprinter);
    await teleprinter.deliver({ ...printer, holder: "poll-1", ids: idsOf(taken) });
    await expectRepeat(teleprinter, once, { ...first, delivered: true });
  },

  "a repeat from the device is a sign of life": async ({ storage: { teleprinter } }) => {
    await appendTexts(teleprinter, [saidOnce]);
    const { device } = withOutcome(await teleprinter.append({ ...saidOnce, now: now + 5 }), "repeated");
    assert.equal(device.lastSeen, now + 5);
    assert.deepEqual(await teleprinter.findDevice(printer.deviceId), device);
  },

  "a text from the device that its nonce refuses is no sign of life": async ({ storage: { teleprinter } }) => {
    await appendTexts(teleprinter, [saidOnce]);
    await teleprinter.append({ ...saidOnce, content: "other", now: now + 9 });
    assert.equal((await teleprinter.findDevice(printer.deviceId))?.lastSeen, now);
  },

  "a nonce with another content is refused and stores nothing": async ({ storage: { teleprinter } }) => {
    await appendTexts(teleprinter, [once]);
    assert.deepEqual(await teleprinter.append(textTo("other", { nonce: "n" })), { outcome: "nonce_conflict" });
    assert.equal((await pageAll(teleprinter)).length, 1);
  },

  "a nonce counts for its device and direction only": async ({ storage: { teleprinter } }) => {
    await claim(teleprinter, other);
    const messages = await appendTexts(teleprinter, [
      textTo("to", { nonce: "n" }),
      textFrom("from", { nonce: "n" }),
      textTo("to another", { ...other, nonce: "n" }),
      textTo("without", { nonce: null }),
      textTo("without", { nonce: null }),
    ]);
    assert.equal(new Set(idsOf(messages)).size, 5);
  },

  "a nonce counts again after its life": async ({ storage: { teleprinter } }) => {
    await appendTexts(teleprinter, [textTo("first", { nonce: "n" })]);
    const later = now + nonceLife + 1;
    const [second] = await appendTexts(teleprinter, [textTo("second", { nonce: "n", now: later })]);
    await expectRepeat(teleprinter, textTo("second", { nonce: "n", now: later + nonceLife - 1 }), second);
  },

  "a nonce that is used again as new names its newest text": async ({ storage: { teleprinter } }) => {
    const again = { ...saidOnce, nonceReuse: "new" } as const;
    const [, second] = await appendTexts(teleprinter, [again, again]);
    assert.equal((await pageAll(teleprinter)).length, 2);
    await expectRepeat(teleprinter, { ...saidOnce, nonceReuse: "same" }, second);
  },

  "a nonce that may name the same text is a repeat only with its content": async ({ storage: { teleprinter } }) => {
    const [first] = await appendTexts(teleprinter, [saidOnce]);
    const same = { ...saidOnce, nonceReuse: "same" } as const;
    await expectRepeat(teleprinter, same, first);
    const [second] = await appendTexts(teleprinter, [{ ...same, content: "other" }]);
    await expectRepeat(teleprinter, { ...same, content: "other" }, second);
    assert.equal((await pageAll(teleprinter)).length, 2);
  },

  "a nonce survives a restart": async ({ storage, reopen }) => {
    const [first] = await appendTexts(storage.teleprinter, [once]);
    const { teleprinter } = await reopen();
    await expectRepeat(teleprinter, once, first);
  },

  "of 20 simultaneous texts with one nonce exactly one is stored": async ({ storage, race }) => {
    const appends = await race(20, ({ teleprinter }) => teleprinter.append(once));
    assert.deepEqual(countOutcomes(appends), { appended: 1, repeated: 19 });
    assert.deepEqual([...new Set(idsIn(appends))], idsOf(await pageAll(storage.teleprinter)));
  },

  "of 20 simultaneous contents with one nonce exactly one is stored": async ({ storage, race }) => {
    const appends = await race(20, ({ teleprinter }, caller) => teleprinter.append({ ...once, content: `${caller}` }));
    assert.deepEqual(countOutcomes(appends), { appended: 1, nonce_conflict: 19 });
    assert.equal((await pageAll(storage.teleprinter)).length, 1);
  },
});
