import { skew } from "./clock-skew.ts";
import type { Collection } from "mongodb";
import type { Documents } from "../driver/documents.ts";
import { isDuplicate } from "../driver/errors.ts";

/** The documents of leases. */
export type Leases = Collection<Documents["leases"]>;

export interface LeaseRequest {
  readonly name: string;
  /** A random string. */
  readonly holder: string;
  /** Milliseconds. */
  readonly life: number;
}

/**
 * Takes a free lease. Of N callers exactly one gets it. A lease is free from 5 s after its end, because the clocks of members of a
 * replica set may differ.
 * @param now the time of the database, as below
 */
export async function takeLease(leases: Leases, now: number, { name, holder, life }: LeaseRequest): Promise<boolean> {
  const free = { _id: name, until: { $lt: now - skew } };
  return isFirst(leases.updateOne(free, { $set: { holder, until: now + life } }, { upsert: true }));
}

/** False if the document of an upsert exists and does not match its filter. */
export async function isFirst(upsert: Promise<unknown>): Promise<boolean> {
  try {
    await upsert;
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Moves the end of a lease. False if another holder has it. */
export async function renewLease(leases: Leases, now: number, { name, holder, life }: LeaseRequest): Promise<boolean> {
  const { matchedCount } = await leases.updateOne({ _id: name, holder }, { $set: { until: now + life } });
  return matchedCount === 1;
}

/** Ends a lease now. It stays taken for the time by which clocks may differ. */
export async function endLease(leases: Leases, now: number, name: string, holder: string): Promise<void> {
  await leases.updateOne({ _id: name, holder }, { $set: { until: now } });
}
