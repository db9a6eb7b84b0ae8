import type { LeaseStore } from "@telex/core/storage";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const name = (sentence: string): string => `leases: ${sentence}`;

const spoilLeases = (change: (store: LeaseStore) => Partial<LeaseStore>): BrokenStorage["spoil"] =>
  override("leases", change);

/** The current number of a lease, regardless of its holder. */
const fenceNow = async (store: LeaseStore, leased: string): Promise<number> =>
  (await store.listLeases(leased))[0]?.fence ?? 0;

/** Wrong stores of leases. */
export const brokenLeases: readonly BrokenStorage[] = [
  {
    fault: "a lease is looked for, then taken",
    found: [name("of 20 that take a lease simultaneously one gets it")],
    spoil: spoilLeases((store) => ({
      async takeLease(lease) {
        const [held] = await store.listLeases(lease.name);
        if (held !== undefined && held.until > lease.now) return null;
        await meanwhile();
        return store.takeLease({ ...lease, now: Number.MAX_SAFE_INTEGER });
      },
    })),
  },
  {
    fault: "a lease is taken over from anybody",
    found: [
      name("a lease that has not ended is taken over by its number, and its holder has lost it"),
      name("of 20 that take over a lease simultaneously one gets it"),
    ],
    spoil: spoilLeases((store) => ({
      takeLease: async ({ over, ...lease }) =>
        store.takeLease(over === undefined ? lease : { ...lease, over: await fenceNow(store, lease.name) }),
    })),
  },
  {
    fault: "nothing is taken over",
    found: [name("a lease that has not ended is taken over by its number, and its holder has lost it")],
    spoil: spoilLeases((store) => ({ takeLease: ({ over: _over, ...lease }) => store.takeLease(lease) })),
  },
  {
    fault: "a lease is free a moment before its end",
    found: [name("a lease is free from its end on, and its number increases each time")],
    spoil: spoilLeases((store) => ({ takeLease: (lease) => store.takeLease({ ...lease, now: lease.now + 1 }) })),
  },
  {
    fault: "a renewal leaves the end where it is",
    found: [name("its holder moves its end and changes its note")],
    spoil: spoilLeases((store) => ({
      async touchLease(lease) {
        const [held] = await store.listLeases(lease.name);
        return store.touchLease({ ...lease, until: held?.until ?? lease.until });
      },
    })),
  },
  {
    fault: "a former holder renews and releases a lease",
    found: [name("a holder who has lost a lease can no longer change it")],
    spoil: spoilLeases((store) => ({
      touchLease: async (lease) => store.touchLease({ ...lease, fence: await fenceNow(store, lease.name) }),
      releaseLease: async (lease) => store.releaseLease({ ...lease, fence: await fenceNow(store, lease.name) }),
    })),
  },
  {
    fault: "a lease that is released ends immediately, and can be renewed",
    found: [
      name("a lease that was released cannot be renewed, nor released again"),
      name("taking and releasing is reported, once"),
    ],
    spoil: spoilLeases((store) => ({ releaseLease: (lease) => store.touchLease({ ...lease, until: 1 }) })),
  },
  {
    fault: "a claim is looked for, then made",
    found: [name("of 20 that claim a name simultaneously one gets it")],
    spoil: spoilLeases(() => {
      const ends = new Map<string, number>();
      return {
        async claim({ name: claimed, now, until }) {
          const end = ends.get(claimed) ?? now;
          await meanwhile();
          if (end > now) return false;
          ends.set(claimed, until);
          return true;
        },
      };
    }),
  },
  {
    fault: "a claim has no end",
    found: [name("a claim lasts until its end, also after a restart")],
    spoil: spoilLeases((store) => ({
      claim: (claim) => store.claim({ ...claim, until: Number.MAX_SAFE_INTEGER }),
    })),
  },
  {
    fault: "leases are listed without regard to their beginning",
    found: [name("leases are listed by name, those with the beginning that is asked for")],
    spoil: spoilLeases((store) => ({ listLeases: () => store.listLeases("") })),
  },
];
