import type { Change, ChangeFeed } from "@telex/core/storage";
import { collectionOf, type StoreDeps } from "./deps.ts";

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
        // The numbers have no gaps, and the newest change is never removed.
        if (found[0] !== undefined && found[0]._id > seq + 1) return null;
        return found.map(({ _id, kind, key }): Change => ({ seq: _id, kind, key }));
      }),
  };
}
