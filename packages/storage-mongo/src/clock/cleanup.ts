import type { Clock } from "@telex/core";
import type { DatabaseClock } from "./database-clock.ts";
import type { Db } from "mongodb";
import { collectionOf } from "../driver/collections.ts";

/** Milliseconds for which changes are kept. */
const changesKept = 60 * 60_000;
/** Milliseconds for which the turns of an unused root are kept. */
const turnsKept = 60 * 60_000;
/** Milliseconds between two removals. */
const cleanEvery = 10 * 60_000;

/** Removes expired documents from time to time. */
export interface Cleanup {
  /** The nonces of this store must be kept for at least this many milliseconds. */
  readonly noteNonceLife: (name: "messageNonces" | "deviceNonces", life: number) => void;
  readonly end: () => void;
}

/** Removes old changes. The newest one stays: without it, a reader could not notice that others are missing. */
export async function forgetChanges(db: Db, now: number): Promise<void> {
  const latest = await collectionOf(db, "numbers").findOne({ _id: "changes" });
  await collectionOf(db, "changes").deleteMany({ at: { $lt: now - changesKept }, _id: { $lt: latest?.value ?? 0 } });
}

/**
 * Removes expired claims and errands, old changes and turns, and nonces that are older than the longest life that was noted. If none was noted,
 * it removes no nonces.
 */
export function startCleanup({
  db,
  clock,
  time,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly time: Pick<DatabaseClock, "now">;
}): Cleanup {
  const lives = new Map<"messageNonces" | "deviceNonces", number>();
  let cancel = (): void => undefined;
  const clean = async (): Promise<void> => {
    const now = clock.now();
    const removals = [
      forgetChanges(db, now),
      ...(["claims", "errands"] as const).map(async (name) =>
        collectionOf(db, name).deleteMany({ until: { $lte: await time.now() } }),
      ),
      ...(["tickets", "turns"] as const).map((name) =>
        collectionOf(db, name).deleteMany({ at: { $lt: now - turnsKept } }),
      ),
      ...[...lives].map(([name, life]) => collectionOf(db, name).deleteMany({ at: { $lt: now - life } })),
    ];
    // The next run repeats a removal that failed.
    await Promise.allSettled(removals);
  };
  const plan = (): void => {
    cancel = clock.after(cleanEvery, () => {
      plan();
      void clean();
    });
  };
  plan();
  return {
    noteNonceLife: (name, life) => void lives.set(name, Math.max(life, lives.get(name) ?? 0)),
    end: () => cancel(),
  };
}
