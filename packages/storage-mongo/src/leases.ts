import type { Clock } from "@telex/core";
import type { LeaseKey, LeaseRecord, LeaseStore } from "@telex/core/storage";
import type { Collection } from "mongodb";
import { collectionOf, feedRoot, type StoreDeps } from "./deps.ts";
import type { Documents } from "./documents.ts";
import { isDuplicate } from "./errors.ts";

/** Milliseconds by which the clocks of two servers may differ. */
export const skew = 5000;

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

type LeaseDocument = Documents["leases"];

const recordOf = ({ _id: name, holder, until, fence = 0, note = "" }: LeaseDocument): LeaseRecord => ({
  name,
  holder,
  fence,
  until,
  note,
});

/** The lease if it is still its holder's. */
const ownLease = ({ name, fence }: LeaseKey) => ({ _id: name, fence, until: { $gt: 0 } });

/** What only one server does at a time. What takes and releases reports it; what renews is one write. */
export function createLeaseStore({ db, batches: { write, single } }: StoreDeps): LeaseStore {
  const leases = collectionOf(db, "leases");
  return {
    takeLease({ now, name, over, ...asked }) {
      const { holder, until, note } = asked;
      return write(feedRoot, async (tx) => {
        const before = await tx.find("leases", name);
        if (before !== null && before.until > now && before.fence !== over) return null;
        const lease = { _id: name, holder, until, note, fence: (before?.fence ?? 0) + 1 };
        tx.put("leases", lease);
        tx.report("lease", name);
        return recordOf(lease);
      });
    },
    touchLease({ name, fence, until, note }) {
      return single(
        async () => (await leases.updateOne(ownLease({ name, fence }), { $set: { until, note } })).matchedCount === 1,
      );
    },
    releaseLease({ name, fence, note }) {
      return write(feedRoot, async (tx) => {
        const before = await tx.find("leases", name);
        if (before === null || before.fence !== fence || before.until === 0) return false;
        tx.put("leases", { ...before, until: 0, note });
        tx.report("lease", name);
        return true;
      });
    },
    listLeases: (prefix) =>
      single(async () => {
        const range = { _id: { $gte: prefix, $lt: `${prefix}\u{10FFFF}` }, fence: { $gt: 0 } };
        return (await leases.find(range, { sort: { _id: 1 } }).toArray()).map(recordOf);
      }),
  };
}
