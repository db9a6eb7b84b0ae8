import { randomUUID } from "node:crypto";
import { type Clock, TelexError } from "@telex/core";
import type { DatabaseClock } from "./database-clock.ts";
import { inTime } from "./in-time.ts";
import { endLease, type Leases, renewLease, takeLease } from "./leases.ts";

/** How many numbers there are. */
export const serverNumbers = 512;

/** Milliseconds for which a number is leased. */
const life = 30_000;
/** Milliseconds between two renewals. */
const renewEvery = 10_000;
/** Attempts to find a free number. */
const attempts = 64;

/** A number that no other server has now. It makes the ids of this server differ from those of others. */
export interface ServerNumber {
  /**
   * The number; leased at the first call, and again if it could not be renewed in time.
   * @throws TelexError `storage_unavailable` if no number is free
   */
  readonly current: () => Promise<number>;
  readonly close: () => Promise<void>;
}

interface Leased {
  readonly number: number;
  /** Milliseconds of `performance.now()`: a clock that is set does not make the lease longer. */
  readonly until: number;
}

/** Leases a number when it is needed: a command that stores no message needs none. */
export function createServerNumber(leases: Leases, clock: Clock, time: Pick<DatabaseClock, "now">): ServerNumber {
  const holder = randomUUID();
  let leased: Leased | null = null;
  let leasing: Promise<Leased> | null = null;
  let cancel: (() => void) | null = null;

  const request = (number: number) => ({ name: `server/${number}`, holder, life });
  const until = (begun: number): number => begun + life - renewEvery / 2;

  async function lease(): Promise<Leased> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const number = Math.floor(Math.random() * serverNumbers);
      const begun = performance.now();
      if (!(await inTime(renewEvery, takeLease(leases, time.now(), request(number))))) continue;
      planRenewal(number);
      return { number, until: until(begun) };
    }
    const cause = new Error("All server numbers are leased.");
    throw new TelexError("storage_unavailable", { cause });
  }
  async function renew(number: number): Promise<void> {
    const begun = performance.now();
    try {
      if (!(await inTime(renewEvery, renewLease(leases, time.now(), request(number))))) return;
      leased = { number, until: until(begun) };
    } catch {
      // The lease ends by itself if this goes on.
    }
    if (leased?.number === number) planRenewal(number);
  }
  function planRenewal(number: number): void {
    cancel?.();
    cancel = clock.after(renewEvery, () => void renew(number));
  }

  return {
    async current() {
      if (leased !== null && performance.now() < leased.until) return leased.number;
      leasing ??= lease().finally(() => (leasing = null));
      leased = await leasing;
      return leased.number;
    },
    async close() {
      cancel?.();
      if (leased !== null)
        await inTime(renewEvery, endLease(leases, time.now(), `server/${leased.number}`, holder)).catch(
          () => undefined,
        );
    },
  };
}
