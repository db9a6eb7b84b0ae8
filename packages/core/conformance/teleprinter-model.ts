import assert from "node:assert/strict";
import type { TeleprinterStore } from "../src/teleprinter/store.ts";
import type { DeviceMessageRecord } from "../src/records/teleprinter.ts";
import { defineCases, type StorageCase } from "./case.ts";
import { sorted, withOutcome } from "./expect.ts";
import { claim, idsOf, now, printer, textFrom, textTo } from "./fixtures.ts";
import { createRandom, type Random } from "./random.ts";

interface Text {
  record: DeviceMessageRecord;
  hold: { readonly holder: string; readonly until: number } | null;
}

/** A device's texts in the plainest form, oldest first. */
class Model {
  readonly texts: Text[] = [];
  now = now;

  free(limit: number): Text[] {
    const isFree = ({ record, hold }: Text): boolean => !record.delivered && (hold === null || hold.until <= this.now);
    return this.texts.filter(isFree).slice(0, limit);
  }

  heldBy(holder: string): Text[] {
    return this.texts.filter(({ record, hold }) => !record.delivered && hold?.holder === holder);
  }

  mark(texts: readonly Text[]): number[] {
    for (const text of texts) text.record = { ...text.record, delivered: true };
    return texts.map(({ record }) => record.id);
  }
}

const recordsOf = (texts: readonly Text[]): DeviceMessageRecord[] => texts.map(({ record }) => record);

/** One step on the store and on the model; they must answer alike. */
type Step = (store: TeleprinterStore, model: Model, random: Random) => Promise<void>;

const holders = ["poll-1", "poll-2", "poll-3"];
const pick = (random: Random): string => holders[random.below(holders.length)] ?? "";

const append: Step = async (store, model, random) => {
  const text = random.below(4) === 0 ? textFrom : textTo;
  const appended = withOutcome(await store.append(text(`text ${model.texts.length}`, { now: model.now })), "appended");
  model.texts.push({ record: appended.message, hold: null });
};

const take: Step = async (store, model, random) => {
  const [holder, limit] = [pick(random), 1 + random.below(5)];
  const until = model.now + random.below(20);
  const taken = withOutcome(await store.take({ ...printer, limit, holder, now: model.now, until }), "taken");
  const expected = model.free(limit);
  for (const text of expected) text.hold = { holder, until };
  assert.deepEqual(taken.messages, recordsOf(expected));
};

const deliver: Step = async (store, model, random) => {
  const holder = pick(random);
  const wanted = model.texts.filter(() => random.below(2) === 0).map(({ record }) => record.id);
  const delivered = await store.deliver({ deviceId: printer.deviceId, holder, ids: wanted });
  const expected = model.heldBy(holder).filter(({ record }) => wanted.includes(record.id));
  assert.deepEqual(sorted(delivered), model.mark(expected));
};

const requeue: Step = async (store, model, random) => {
  const holder = pick(random);
  const held = model.heldBy(holder);
  const some = random.below(2) === 0 ? held : held.filter(() => random.below(2) === 0);
  const except = some === held ? {} : { except: idsOf(recordsOf(held.filter((text) => !some.includes(text)))) };
  await store.requeue({ deviceId: printer.deviceId, holder, ...except });
  for (const text of some) text.hold = null;
};

const acknowledge: Step = async (store, model, random) => {
  const upTo = model.texts[random.below(model.texts.length + 1)]?.record.id ?? 0;
  const limit = 1 + random.below(4);
  const shown = withOutcome(await store.acknowledge({ ...printer, upTo, limit, now: model.now }), "acknowledged");
  const marked = model.mark(model.free(model.texts.length).filter(({ record }) => record.id <= upTo));
  assert.deepEqual(sorted(shown.marked), marked);
  assert.deepEqual(shown.messages, recordsOf(model.free(limit)));
};

const page: Step = async (store, model, random) => {
  const before = random.below(3) === 0 ? null : (model.texts[random.below(model.texts.length + 1)]?.record.id ?? 0);
  const limit = 1 + random.below(10);
  const shown = await store.page({ ...printer, before, limit });
  const below = recordsOf(model.texts).filter(({ id }) => before === null || id < before);
  const messages = below.toReversed().slice(0, limit);
  assert.deepEqual(shown, { outcome: "page", messages, more: below.length > limit });
};

const steps: readonly Step[] = [append, append, append, take, take, deliver, requeue, acknowledge, page];

/** What a storage promises of a device's texts, in long random runs. */
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
