import { isFirst } from "../clock/leases.ts";
import { collectionOf, feedRoot } from "../driver/collections.ts";
import type { StoreDeps } from "./deps.ts";
import type { Documents } from "../driver/documents.ts";
import { randomUUID } from "node:crypto";
import type { LeaseKey, LeaseRecord, LeaseStore } from "@telex/core/storage";
type LeaseDocument = Documents["leases"];

/** @param ahead milliseconds by which the clock of the reader is ahead of the database's */
const recordOf = ({ _id: name, holder, until, fence = 0, note = "" }: LeaseDocument, ahead: number): LeaseRecord => ({
  name,
  holder,
  fence,
  until: until === 0 ? 0 : until + ahead,
  note,
});

/** The filter for a lease that its holder still has. */
const ownLease = ({ name, fence }: LeaseKey) => ({ _id: name, fence, until: { $gt: 0 } });

/**
 * Leases. Taking and releasing report a change; renewing is one write. Callers pass times of their own clocks; the documents have times of
 * the database, so that a server with a wrong clock does not end the leases of another.
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
    releaseLease: ({ name, fence, note }) =>
      write(feedRoot, async (tx) => {
        const before = await tx.find("leases", name);
        if (before === null || before.fence !== fence || before.until === 0) return false;
        tx.put("leases", { ...before, until: 0, note });
        tx.report("lease", name);
        return true;
      }),
    claim({ name, now, until }) {
      const by = randomUUID();
      return single(async () => {
        const ahead = await time.ahead();
        // If the first response was lost, the repeat finds its own claim.
        const free = { _id: name, $or: [{ until: { $lte: now - ahead } }, { by }] };
        const change = { $set: { until: until - ahead, by } };
        return isFirst(collectionOf(db, "claims").updateOne(free, change, { upsert: true }));
      });
    },
    listLeases: (prefix) =>
      single(async () => {
        const range = { _id: { $gte: prefix, $lt: `${prefix}\u{10FFFF}` }, fence: { $gt: 0 } };
        const matches = await leases.find(range, { sort: { _id: 1 } }).toArray();
        const ahead = await time.ahead();
        return matches.map((lease) => recordOf(lease, ahead));
      }),
  };
}
