import type { Change, ChangeFeed } from "@telex/core/storage";
import type { Clock } from "@telex/core";
import { collectionOf, type StoreDeps } from "./deps.ts";

/** Milliseconds. */
const keepFor = 60 * 60_000;
/** Milliseconds between two removals of old changes. */
const forgetEvery = 10 * 60_000;
const mostInOneCall = 1000;

/** What has changed. The numbers are given in the transactions that change something, so that no reader sees a gap. */
export function createChangeFeed({ db, batches: { single } }: StoreDeps): ChangeFeed {
  const changes = collectionOf(db, "changes");
  const numbers = collectionOf(db, "numbers");
  return {
    latest: () => single(async () => (await numbers.findOne({ _id: "changes" }))?.value ?? 0),
    since: (seq) =>
      single(async () => {
        const found = await changes.find({ _id: { $gt: seq } }, { sort: { _id: 1 }, limit: mostInOneCall }).toArray();
        return found.map(({ _id, kind, key }): Change => ({ seq: _id, kind, key }));
      }),
  };
}

/** Removes old changes from time to time; the returned function ends it. */
export function startForgetting({ db, clock }: Pick<StoreDeps, "db"> & { readonly clock: Clock }): () => void {
  let cancel = (): void => undefined;
  const plan = (): void => {
    cancel = clock.after(forgetEvery, () => void forget());
  };
  const forget = async (): Promise<void> => {
    plan();
    // A failure is tried again next time.
    await collectionOf(db, "changes")
      .deleteMany({ at: { $lt: clock.now() - keepFor } })
      .catch(() => undefined);
  };
  plan();
  return () => cancel();
}
