import { unlessFailed } from "@telex/ground/concurrency";
import { TelexError } from "@telex/ground/errors";
import type { Clock } from "@telex/ground/time";

/** Milliseconds for which an answer is cached, so that many callers cost as much as one. */
const keptFor = 1000;
/** Milliseconds after which a storage that does not respond counts as failed. */
const patience = 5000;

/** Settles like a promise, or fails with `storage_unavailable` if that takes too long. */
async function bounded(clock: Clock, probed: Promise<unknown>): Promise<void> {
  const cause = new Error(`A probe took longer than ${patience} ms.`);
  const late = new TelexError("storage_unavailable", { cause });
  await unlessFailed(probed, (fail) => clock.after(patience, () => fail(late)));
}

/**
 * Asks whether the storage is ready, for any number of callers: one probe runs at a time, its answer comes after at most 5 s, and is kept
 * for a second. While a probe still hangs, no other one starts.
 * @param probe rejects if the storage is not ready
 */
export function createReadiness(clock: Clock, probe: () => Promise<unknown>): () => Promise<void> {
  let probing: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    const probed = probe();
    const ended = probed.catch(() => {});
    const forget = (): void => void ended.then(() => (probing = null));
    try {
      await bounded(clock, probed);
    } finally {
      clock.after(keptFor, forget);
    }
  };
  return () => (probing ??= look());
}
