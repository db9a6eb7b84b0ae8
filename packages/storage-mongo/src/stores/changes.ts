import type { Change, ChangeFeed } from "@telex/core/storage";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, asPrimary } from "../driver/collections.ts";

const mostInOneCall = 1000;
/** Milliseconds between two reads that certainly see all changes, so that a revocation takes effect within a second. */
const assertEvery = 700;

/** The change feed. Each transaction also numbers its changes, so no reader sees a gap. */
export function createChangeFeed({ db, batches: { single } }: StoreDeps): ChangeFeed {
  const changes = collectionOf(db, "changes");
  const numbers = collectionOf(db, "numbers");
  const latest = async (): Promise<number> => (await numbers.findOne({ _id: "changes" }, asPrimary))?.value ?? 0;
  let asserted = Number.NEGATIVE_INFINITY;
  /** A deposed primary that does not know it yet would show no changes. */
  const assertPrimary = async (): Promise<void> => {
    const begun = performance.now();
    if (begun - asserted < assertEvery) return;
    await latest();
    asserted = begun;
  };
  return {
    latest: () => single(latest),
    since: (seq) =>
      single(async () => {
        await assertPrimary();
        const matches = await changes.find({ _id: { $gt: seq } }, { sort: { _id: 1 }, limit: mostInOneCall }).toArray();
        // The numbers have no gaps, and the newest change is never removed.
        if (matches[0] !== undefined && matches[0]._id > seq + 1) return null;
        return matches.map(({ _id, kind, key }): Change => ({ seq: _id, kind, key }));
      }),
  };
}
