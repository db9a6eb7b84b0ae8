import assert from "node:assert/strict";
import type { DeviceMessageRecord, DeviceScheduleRecord, TeleprinterStore, TextOrder } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { sorted, withOutcome } from "../support/expect.ts";
import { claim, idsOf, now, pageAll, printer, scheduled, textTo } from "../support/fixtures.ts";
import { createRandom, type Random } from "../testing/index.ts";

/** A text and its state: `waiting`, `delivered`, or how it ended. */
interface Text {
  readonly record: DeviceMessageRecord;
  isShown: boolean;
  state: "waiting" | "delivered" | "expired" | "failed";
}

/** A device's texts and schedules in the plainest form, oldest first. */
class Model {
  readonly texts: Text[] = [];
  schedules: DeviceScheduleRecord[] = [];
  now = now;
  count = 0;

  waiting(): Text[] {
    return this.texts.filter(({ state }) => state === "waiting");
  }

  isOver({ record: { expiresAt } }: Text): boolean {
    return expiresAt !== null && expiresAt <= this.now;
  }

  /** The texts that a device may get, in its order. */
  queue(order: TextOrder | undefined, limit: number): Text[] {
    const current = this.waiting().filter((text) => !this.isOver(text));
    const urgent = current.toSorted((a, b) => b.record.priority - a.record.priority || a.record.id - b.record.id);
    return (order === undefined ? current : urgent).slice(0, limit);
  }

  /** Ends those of these texts that wait, and returns their ids. */
  end(texts: readonly Text[], state: Text["state"]): number[] {
    const ended = texts.filter((text) => text.state === "waiting");
    for (const text of ended) text.state = state;
    return sorted(idsOf(ended.map(({ record }) => record)));
  }

  due(): DeviceScheduleRecord[] {
    return this.schedules.filter(({ at }) => at <= this.now);
  }
}

const byTime = (a: DeviceScheduleRecord, b: DeviceScheduleRecord): number => a.at - b.at || a.id - b.id;

/** One step on the store and on the model, whose results must be equal. */
type Step = (store: TeleprinterStore, model: Model, random: Random) => Promise<void>;

const orderOf = (random: Random): TextOrder | undefined => (random.below(2) === 0 ? undefined : "priority");
const some = (texts: readonly Text[], random: Random): Text[] => texts.filter(() => random.below(3) === 0);
const recordsOf = (texts: readonly Text[]): DeviceMessageRecord[] => texts.map(({ record }) => record);

async function append(store: TeleprinterStore, model: Model, text: ReturnType<typeof textTo>): Promise<void> {
  const { message } = withOutcome(await store.append({ ...text, now: model.now }), "appended");
  model.texts.push({ record: message, isShown: false, state: "waiting" });
}

const send: Step = (store, model, random) => {
  const priority = 1 + random.below(5);
  const expiresAt = random.below(2) === 0 ? null : model.now + 1 + random.below(30);
  return append(store, model, textTo(`text ${(model.count += 1)}`, { priority, expiresAt }));
};

const schedule: Step = async (store, model, random) => {
  const at = model.now + 1 + random.below(30);
  const one = scheduled(1 + random.below(1000), {
    at,
    priority: 1 + random.below(5),
    content: `later ${random.below(3)}`,
  });
  const before = model.schedules.find(({ id }) => id === one.id);
  const isSame = before?.content === one.content && before.at === one.at;
  const { outcome } = await store.schedule({ ...one, deviceLimit: 50, ownerLimit: 50 });
  assert.equal(outcome, before === undefined ? "scheduled" : isSame ? "repeated" : "nonce_conflict");
  if (before === undefined) model.schedules = [...model.schedules, one].toSorted(byTime);
};

const unschedule: Step = async (store, model, random) => {
  const chosen = model.schedules[random.below(model.schedules.length + 1)];
  const { outcome } = await store.unschedule({ ...printer, id: chosen?.id ?? 5000 });
  assert.equal(outcome, chosen === undefined ? "absent" : "unscheduled");
  model.schedules = model.schedules.filter((one) => one !== chosen);
};

/** Sends what is due, as a server does each second; another server has sent some of it before. */
const sweep: Step = async (store, model, random) => {
  const due = await store.listDue({ now: model.now, limit: 3 });
  assert.deepEqual(due, model.due().slice(0, 3));
  for (const { id, content, priority } of due) {
    await append(store, model, textTo(content, { priority, scheduleId: id }));
    model.schedules = model.schedules.filter((one) => one.id !== id);
    if (random.below(3) > 0) continue;
    assert.equal((await store.append(textTo(content, { scheduleId: id }))).outcome, "unscheduled");
  }
};

const expire: Step = async (store, model, random) => {
  const [before, limit] = [model.now - random.below(10), 1 + random.below(3)];
  const over = model.waiting().filter(({ record }) => record.expiresAt !== null && record.expiresAt < before);
  const count = await store.expireTexts({ before, limit });
  assert.equal(count, Math.min(limit, over.length));
  // The store chooses which ones end first, and the model follows it.
  const ended = new Set(idsOf((await pageAll(store)).filter((record) => record.ended === "expired")));
  model.end(
    over.filter(({ record }) => ended.has(record.id)),
    "expired",
  );
};

/** A connection takes texts, and delivers some of them, or gives them up. */
const take: Step = async (store, model, random) => {
  const [order, limit] = [orderOf(random), 1 + random.below(4)];
  const request = { ...printer, holder: "feed", limit, now: model.now, until: model.now + 10 };
  const taken = withOutcome(await store.take({ ...request, ...(order !== undefined && { order }) }), "taken").messages;
  const expected = model.queue(order, limit);
  assert.deepEqual(idsOf(taken), idsOf(recordsOf(expected)));
  const [ended, chosen] = [random.below(3) === 0 ? ("failed" as const) : null, some(expected, random)];
  const delivery = { deviceId: printer.deviceId, holder: "feed", ids: idsOf(recordsOf(chosen)), ends: true };
  const delivered = await store.deliver({ ...delivery, ...(ended !== null && { ended }) });
  assert.deepEqual(sorted(delivered), expected.length === 0 ? [] : model.end(chosen, ended ?? "delivered"));
  await store.requeue({ deviceId: printer.deviceId, holder: "feed" });
};

/** A poll acknowledges all up to an id, single ids, and gives others up. */
const acknowledge: Step = async (store, model, random) => {
  const [order, limit] = [orderOf(random), 1 + random.below(4)];
  const upTo = order === undefined ? (model.texts[random.below(model.texts.length + 1)]?.record.id ?? 0) : 0;
  const [failed, named] = [some(model.waiting(), random), some(model.texts, random)];
  const ids = idsOf(recordsOf(named));
  const failedIds = idsOf(recordsOf(failed));
  const request = { ...printer, upTo, ids, failedIds, limit, now: model.now, ...(order !== undefined && { order }) };
  const { marked, messages } = withOutcome(await store.acknowledge(request), "acknowledged");
  model.end(failed, "failed");
  const isMarked = (text: Text): boolean =>
    named.includes(text) || (text.record.id <= upTo && (text.isShown || !model.isOver(text)));
  assert.deepEqual(sorted(marked), model.end(model.waiting().filter(isMarked), "delivered"));
  const shown = model.queue(order, limit);
  assert.deepEqual(idsOf(messages), idsOf(recordsOf(shown)));
  for (const text of shown) text.isShown = text.record.expiresAt !== null;
};

/** Checks that everything is as in the model. */
const look: Step = async (store, model) => {
  const stored = (await pageAll(store)).toReversed();
  const states = stored.map(({ id, delivered, ended }) => [id, ended ?? (delivered ? "delivered" : "waiting")]);
  assert.deepEqual(
    states,
    model.texts.map(({ record, state }) => [record.id, state]),
  );
  const { schedules } = withOutcome(await store.listSchedules(printer), "schedules");
  assert.deepEqual(schedules, model.schedules);
  assert.equal(await store.countQueued(), model.waiting().length);
};

const steps: readonly Step[] = [
  send,
  send,
  send,
  schedule,
  schedule,
  unschedule,
  sweep,
  sweep,
  expire,
  take,
  take,
  acknowledge,
  acknowledge,
  look,
];

/** Promises about texts with a life, a priority or a time, in long random runs with a restart. */
export const lifeModelCases: readonly StorageCase[] = defineCases(
  "teleprinter lives model",
  Object.fromEntries(
    [1, 2, 3].map((seed) => [
      `a long random run with a restart answers as a plain list does, seed ${seed}`,
      async ({ storage, reopen }) => {
        let { teleprinter } = storage;
        await claim(teleprinter);
        const random = createRandom(seed);
        const model = new Model();
        for (let count = 1; count <= 120; count += 1) {
          model.now += random.below(6);
          await steps[random.below(steps.length)]?.(teleprinter, model, random);
          if (count === 60) ({ teleprinter } = await reopen());
        }
        await look(teleprinter, model, random);
      },
    ]),
  ),
);
