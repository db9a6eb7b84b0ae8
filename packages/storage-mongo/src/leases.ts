import type { Clock } from "@telex/core";
import type { Collection } from "mongodb";
import type { Documents } from "./documents.ts";
import { isDuplicate } from "./errors.ts";

/** Milliseconds by which the clocks of two servers may differ. */
const skew = 5000;

/** The documents of leases. */
export type Leases = Collection<Documents["leases"]>;

/** Who wants a lease of which name, and for how long. */
export interface LeaseRequest {
  readonly name: string;
  /** A random word. */
  readonly holder: string;
  /** Milliseconds. */
  readonly life: number;
}

/** Takes a free lease. Of N callers exactly one gets it. A lease is free from 5 s after its end, because clocks differ. */
export async function takeLease(leases: Leases, clock: Clock, { name, holder, life }: LeaseRequest): Promise<boolean> {
  const now = clock.now();
  try {
    const free = { _id: name, until: { $lt: now - skew } };
    await leases.updateOne(free, { $set: { holder, until: now + life } }, { upsert: true });
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Moves the end of a lease. False if another holder has it. */
export async function renewLease(leases: Leases, clock: Clock, { name, holder, life }: LeaseRequest): Promise<boolean> {
  const { matchedCount } = await leases.updateOne({ _id: name, holder }, { $set: { until: clock.now() + life } });
  return matchedCount === 1;
}

/** Ends a lease now. It stays taken for as long as clocks may differ. */
export async function endLease(leases: Leases, clock: Clock, name: string, holder: string): Promise<void> {
  await leases.updateOne({ _id: name, holder }, { $set: { until: clock.now() } });
}
