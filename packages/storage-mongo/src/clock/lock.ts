import { randomUUID } from "node:crypto";
import type { Db } from "mongodb";
import { askTime } from "./measure.ts";
import type { Documents } from "../driver/documents.ts";
import { guarded } from "../driver/errors.ts";
import { type LeaseRequest, renewLease, takeLease } from "./leases.ts";

/** Milliseconds. */
const life = 30_000;
const renewEvery = 10_000;

/** A lock that one process of a database holds at a time. */
export interface MongoLock {
  /** False if another process has taken the lock: this one could not renew it in time. */
  readonly isHeld: () => Promise<boolean>;
  readonly release: () => Promise<void>;
}

/**
 * Takes a lock and renews it; null if another process holds it. A lock whose process was killed is free after 35 s.
 * @param name not that of a lease that servers take
 */
export async function takeLock(db: Db, name: string): Promise<MongoLock | null> {
  const leases = db.collection<Documents["leases"]>("leases");
  const lease: LeaseRequest = { name, holder: randomUUID(), life };
  if (!(await takeLease(leases, await askTime(db), lease))) return null;
  const renew = (): Promise<boolean> => guarded(async () => renewLease(leases, await askTime(db), lease));
  const timer = setInterval(() => void renew().catch(() => undefined), renewEvery);
  return {
    isHeld: renew,
    async release() {
      clearInterval(timer);
      await guarded(async () => void (await leases.deleteOne({ _id: name, holder: lease.holder })));
    },
  };
}
