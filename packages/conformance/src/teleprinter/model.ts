import assert from "node:assert/strict";
import type { DeviceMessageRecord, TeleprinterStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { sorted, withOutcome } from "../support/expect.ts";
import { claim, now, printer, textFrom, textTo } from "../support/fixtures.ts";
import { createRandom, type Random } from "../testing/index.ts";

interface Text {
  record: DeviceMessageRecord;
}

/** A device's texts in the plainest form, oldest first. */
class Model {
  readonly texts: Text[] = [];
  now = now;

  hold: { readonly holder: string; readonly until: number } | null = null;

  queued(after: number, limit: number): Text[] {
    return this.texts.filter(({ record }) => !record.delivered && record.id > after).slice(0, limit);
  }

  /** The holder of the queue, if its time is not over. */
  holder(): string | null {
    return this.hold !== null && this.hold.until > this.now ? this.hold.holder : null;
  }

  mark(texts: readonly Text[]): number[] {
    for (const text of texts) text.record = { ...text.record, delivered: true };
    return texts.map(({ record }) => record.id);
  }
}

const recordsOf = (texts: readonly Text[]): DeviceMessageRecord[] => texts.map(({ record }) => record);

/** One step on the store and on the model, whose results must be equal. */
type Step = (store: TeleprinterStore, model: Model, random: Random) => Promise<void>;

const holders = ["poll-1", "poll-2", "poll-3"];
const pick = (random: Random): string => holders[random.below(holders.length)] ?? "";

const append: Step = async (store, model, random) => {
  const text = random.below(4) === 0 ? textFrom : textTo;
  const appended = withOutcome(await store.append(text(`text ${model.texts.length}`, { now: model.now })), "appended");
  model.texts.push({ record: appended.message });
};

const take: Step = async (store, model, random) => {
  const [holder, limit, keep] = [pick(random), 1 + random.below(5), random.below(3) === 0];
  const until = model.now + random.below(20);
  const after = random.below(3) === 0 ? (model.texts[random.below(model.texts.length)]?.record.id ?? 0) : 0;
  const taken = await store.take({ ...printer, limit, after, holder, keep, now: model.now, until });
  const current = model.holder();
  const isEmpty = model.queued(0, 1).length === 0;
  if (current !== null && current !== holder && (keep || !isEmpty))
    return assert.deepEqual(taken, { outcome: "held", holder: current });
  const expected = model.queued(after, limit);
  if (keep || expected.length > 0) model.hold = { holder, until };
  assert.deepEqual(taken, { outcome: "taken", messages: recordsOf(expected) });
};

const renew: Step = async (store, model, random) => {
  const [holder, until] = [pick(random), model.now + random.below(20)];
  const isHeld = model.hold?.holder === holder;
  if (isHeld) model.hold = { holder, until };
  assert.equal(await store.renew({ deviceId: printer.deviceId, holder, until }), isHeld);
};

const deliver: Step = async (store, model, random) => {
  const [holder, ends] = [pick(random), random.below(2) === 0];
  const wanted = model.texts.filter(() => random.below(2) === 0).map(({ record }) => record.id);
  const delivered = await store.deliver({ deviceId: printer.deviceId, holder, ids: wanted, ends });
  if (model.hold?.holder !== holder) return assert.deepEqual(delivered, []);
  if (ends) model.hold = null;
  const expected = model.queued(0, Infinity).filter(({ record }) => wanted.includes(record.id));
  assert.deepEqual(sorted(delivered), model.mark(expected));
};

const requeue: Step = async (store, model, random) => {
  const holder = pick(random);
  await store.requeue({ deviceId: printer.deviceId, holder });
  if (model.hold?.holder === holder) model.hold = null;
};

const acknowledge: Step = async (store, model, random) => {
  const upTo = model.texts[random.below(model.texts.length + 1)]?.record.id ?? 0;
  const limit = 1 + random.below(4);
  const shown = await store.acknowledge({ ...printer, upTo, limit, now: model.now });
  const holder = model.holder();
  if (holder !== null && model.queued(0, 1).length > 0) return assert.deepEqual(shown, { outcome: "held", holder });
  const { marked, messages } = withOutcome(shown, "acknowledged");
  assert.deepEqual(sorted(marked), model.mark(model.queued(0, Infinity).filter(({ record }) => record.id <= upTo)));
  assert.deepEqual(messages, recordsOf(model.queued(0, limit)));
};

const page: Step = async (store, model, random) => {
  const before = random.below(3) === 0 ? null : (model.texts[random.below(model.texts.length + 1)]?.record.id ?? 0);
  const limit = 1 + random.below(10);
  const shown = await store.page({ ...printer, before, limit });
  const below = recordsOf(model.texts).filter(({ id }) => before === null || id < before);
  const messages = below.toReversed().slice(0, limit);
  assert.deepEqual(shown, { outcome: "page", messages, more: below.length > limit });
};

const steps: readonly Step[] = [append, append, append, take, take, renew, deliver, requeue, acknowledge, page];

/** Promises of a storage about a device's texts, in long random runs. */
export const teleprinterModelCases: readonly StorageCase[] = defineCases(
  "teleprinter model",
  Object.fromEntries(
    [1, 2, 3].map((seed) => [
      `a long random run answers as a plain list does, seed ${seed}`,
      async ({ storage: { teleprinter } }) => {
        await claim(teleprinter);
        const random = createRandom(seed);
        const model = new Model();
        for (let count = 0; count < 150; count += 1) {
          model.now += random.below(8);
          await steps[random.below(steps.length)]?.(teleprinter, model, random);
        }
      },
    ]),
  ),
);
