import type { LeaseKey, LeaseRecord, LeaseStore } from "@telex/core/storage";
import type { Report } from "./changes.ts";
import { claimIn } from "../engine/claims.ts";
import type { Verb } from "../engine/gate.ts";

export function createLeaseStore(verb: Verb, report: Report): LeaseStore {
  const leases = new Map<string, LeaseRecord>();
  const claims = new Map<string, number>();
  /** The lease, if its holder still has it. */
  const findOwn = ({ name, fence }: LeaseKey): LeaseRecord | null => {
    const lease = leases.get(name);
    return lease !== undefined && lease.fence === fence && lease.until > 0 ? lease : null;
  };
  return {
    takeLease: verb(({ now, over, ...asked }) => {
      const before = leases.get(asked.name);
      if (before !== undefined && before.until > now && before.fence !== over) return null;
      const lease = { ...asked, fence: (before?.fence ?? 0) + 1 };
      leases.set(lease.name, lease);
      report("lease", lease.name);
      return { ...lease };
    }),
    touchLease: verb((touched) => {
      const lease = findOwn(touched);
      if (lease !== null) leases.set(lease.name, { ...lease, until: touched.until, note: touched.note });
      return lease !== null;
    }),
    releaseLease: verb((released) => {
      const lease = findOwn(released);
      if (lease === null) return false;
      leases.set(lease.name, { ...lease, until: 0, note: released.note });
      report("lease", lease.name);
      return true;
    }),
    claim: verb((claim) => claimIn(claims, claim)),
    listLeases: verb((prefix) =>
      Array.from(leases.values())
        .filter(({ name }) => name.startsWith(prefix))
        .toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    ),
  };
}
