import type { Clock } from "@telex/core";
import type { DatabaseClock } from "./database-clock.ts";
import type { Db } from "mongodb";
import { collectionOf } from "../driver/collections.ts";

/** Milliseconds for which changes are kept. */
const changesKept = 60 * 60_000;
/** Milliseconds for which the turns of a root are kept that no server uses. */
const turnsKept = 60 * 60_000;
/** Milliseconds between two removals. */
const forgetEvery = 10 * 60_000;

/** Removes expired documents from time to time. */
export interface Forgetting {
  /** A nonce of this store must be kept for this many milliseconds. */
  readonly noteNonceLife: (name: "messageNonces" | "deviceNonces", life: number) => void;
  /** Ends it. */
  readonly end: () => void;
}

/** Removes old changes. The newest one stays: without it, a reader could not notice that others are missing. */
export async function forgetChanges(db: Db, now: number): Promise<void> {
  const latest = await collectionOf(db, "numbers").findOne({ _id: "changes" });
  await collectionOf(db, "changes").deleteMany({ at: { $lt: now - changesKept }, _id: { $lt: latest?.value ?? 0 } });
}

/**
 * Removes old changes, claims and errands that have ended, turns, and nonces that are older than the longest life with which this server was called. A server that was not
 * called with any removes no nonces.
 */
export function startForgetting({
  db,
  clock,
  time,
}: {
  readonly db: Db;
  readonly clock: Clock;
  readonly time: Pick<DatabaseClock, "now">;
}): Forgetting {
  const lives = new Map<"messageNonces" | "deviceNonces", number>();
  let cancel = (): void => undefined;
  const forget = async (): Promise<void> => {
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
    // A failure is tried again next time.
    await Promise.allSettled(removals);
  };
  const plan = (): void => {
    cancel = clock.after(forgetEvery, () => {
      plan();
      void forget();
    });
  };
  plan();
  return {
    noteNonceLife: (name, life) => void lives.set(name, Math.max(life, lives.get(name) ?? 0)),
    end: () => cancel(),
  };
}
