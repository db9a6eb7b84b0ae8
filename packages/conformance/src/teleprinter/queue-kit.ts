import type { TeleprinterStore, DeviceAppend, DeviceAppended } from "@telex/core/storage";
import { type CaseBody, defineCases, type StorageCase } from "../support/case.ts";
import { sorted, withOutcome } from "../support/expect.ts";
import { claim, idsOf, pageAll, printer, now, textFrom, textTo } from "../support/fixtures.ts";
import assert from "node:assert/strict";

const withPrinter =
  (body: CaseBody): CaseBody =>
  async (ground) => {
    await claim(ground.storage.teleprinter);
    await body(ground);
  };

/** Cases that begin with {@link printer}, claimed and without texts. */
export const defineQueueCases = (
  capability: string,
  bodies: Readonly<Record<string, CaseBody>>,
): readonly StorageCase[] =>
  defineCases(
    capability,
    Object.fromEntries(Object.entries(bodies).map(([sentence, body]) => [sentence, withPrinter(body)])),
  );

/** Marks held texts of {@link printer} as delivered. */
export const deliver = (store: TeleprinterStore, holder: string, ids: readonly number[]): Promise<readonly number[]> =>
  store.deliver({ deviceId: printer.deviceId, holder, ids });

/** The ids of the texts that {@link printer} has not got. */
export async function undelivered(store: TeleprinterStore): Promise<number[]> {
  const messages = await pageAll(store);
  return sorted(idsOf(messages.filter(({ delivered }) => !delivered)));
}

export const minute = 60_000;

export const renew = (store: TeleprinterStore, holder: string, until: number): Promise<boolean> =>
  store.renew({ deviceId: printer.deviceId, holder, until });

export const requeue = (store: TeleprinterStore, holder: string): Promise<void> =>
  store.requeue({ deviceId: printer.deviceId, holder });

/** Another holder than the usual one, while that one holds the queue. */
export const other = { holder: "poll-2" };

/** The same when the time of the usual one is over. */
export const late = { holder: "poll-3", now: now + minute, until: now + 2 * minute };

export const once = textTo("once", { nonce: "n" });

export const saidOnce = textFrom("once", { nonce: "n" });

/** Fails unless a text is a repeat of one that is stored. */
export async function expectRepeat(store: TeleprinterStore, append: DeviceAppend, stored: unknown): Promise<void> {
  const repeated = withOutcome(await store.append(append), "repeated");
  assert.deepEqual(repeated.message, stored);
}

/** The ids of the texts in the results of appends. */
export const idsIn = (appends: readonly DeviceAppended[]): number[] =>
  appends.flatMap((result) => ("message" in result ? [result.message.id] : []));
