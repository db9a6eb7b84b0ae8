import { randomUUID } from "node:crypto";
import type { LeaseKey, LeaseRecord, LeaseStore } from "@telex/core/storage";
import type { Collection } from "mongodb";
import { collectionOf, feedRoot, type StoreDeps } from "./deps.ts";
import type { Documents } from "./documents.ts";
import { isDuplicate } from "./errors.ts";

/** Milliseconds by which the clocks of two servers, or of two members of a replica set, may differ. */
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

/**
 * Takes a free lease. Of N callers exactly one gets it. A lease is free from 5 s after its end, because the clocks of members of a
 * replica set may differ.
 * @param now the time of the database, as below
 */
export async function takeLease(leases: Leases, now: number, { name, holder, life }: LeaseRequest): Promise<boolean> {
  const free = { _id: name, until: { $lt: now - skew } };
  return isFirst(leases.updateOne(free, { $set: { holder, until: now + life } }, { upsert: true }));
}

/** False if the document of an upsert is there, and is not as its filter wants. */
async function isFirst(upsert: Promise<unknown>): Promise<boolean> {
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

/** Ends a lease now. It stays taken for as long as clocks may differ. */
export async function endLease(leases: Leases, now: number, name: string, holder: string): Promise<void> {
  await leases.updateOne({ _id: name, holder }, { $set: { until: now } });
}

type LeaseDocument = Documents["leases"];

/** @param ahead milliseconds by which the clock of the reader is ahead of the database's */
const recordOf = ({ _id: name, holder, until, fence = 0, note = "" }: LeaseDocument, ahead: number): LeaseRecord => ({
  name,
  holder,
  fence,
  until: until === 0 ? 0 : until + ahead,
  note,
});

/** The lease if it is still its holder's. */
const ownLease = ({ name, fence }: LeaseKey) => ({ _id: name, fence, until: { $gt: 0 } });

/**
 * What only one server does at a time. What takes and releases reports it; what renews is one write. Callers give times by their own
 * clocks; the documents have the time of the database, so that no server ends the leases of another one because a clock is wrong.
 */
export function createLeaseStore({ db, batches: { write, single }, time }: StoreDeps): LeaseStore {
  const leases = collectionOf(db, "leases");
  return {
    takeLease({ now, name, over, ...asked }) {
      const { holder, until, note } = asked;
      return write(feedRoot, async (tx) => {
        const ahead = await time.ahead();
        const before = await tx.find("leases", name);
        if (before !== null && before.until > now - ahead && before.fence !== over) return null;
        const lease = { _id: name, holder, until: until - ahead, note, fence: (before?.fence ?? 0) + 1 };
        tx.put("leases", lease);
        tx.report("lease", name);
        return recordOf(lease, ahead);
      });
    },
    touchLease({ name, fence, until, note }) {
      return single(async () => {
        const change = { $set: { until: until - (await time.ahead()), note } };
        return (await leases.updateOne(ownLease({ name, fence }), change)).matchedCount === 1;
      });
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
    claim({ name, now, until }) {
      const by = randomUUID();
      return single(async () => {
        const ahead = await time.ahead();
        // A repeat whose first answer was lost finds its own claim.
        const free = { _id: name, $or: [{ until: { $lte: now - ahead } }, { by }] };
        const change = { $set: { until: until - ahead, by } };
        return isFirst(collectionOf(db, "claims").updateOne(free, change, { upsert: true }));
      });
    },
    listLeases: (prefix) =>
      single(async () => {
        const range = { _id: { $gte: prefix, $lt: `${prefix}\u{10FFFF}` }, fence: { $gt: 0 } };
        const found = await leases.find(range, { sort: { _id: 1 } }).toArray();
        const ahead = await time.ahead();
        return found.map((lease) => recordOf(lease, ahead));
      }),
  };
}
