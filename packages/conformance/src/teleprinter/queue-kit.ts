import type { TeleprinterStore } from "@telex/core/storage";
import { type CaseBody, defineCases, type StorageCase } from "../support/case.ts";
import { sorted } from "../support/expect.ts";
import { claim, idsOf, pageAll, printer } from "../support/fixtures.ts";

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
