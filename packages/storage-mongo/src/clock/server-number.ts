import { randomUUID } from "node:crypto";
import { type Clock, TelexError } from "@telex/core";
import type { DatabaseClock } from "./database-clock.ts";
import { inTime } from "../driver/in-time.ts";
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
  /** Unix milliseconds of the database: setting the clock does not change them, and they pass while the machine is suspended. */
  readonly until: number;
}

/** Leases a number when it is needed: a command that stores no message needs none. */
export function createServerNumber(leases: Leases, clock: Clock, time: Pick<DatabaseClock, "now">): ServerNumber {
  const holder = randomUUID();
  let leased: Leased | null = null;
  let leasing: Promise<Leased> | null = null;
  let cancel: (() => void) | null = null;

  const request = (number: number) => ({ name: `server/${number}`, holder, life });
  const until = (now: number): number => now + life - renewEvery / 2;

  async function lease(): Promise<Leased> {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const number = Math.floor(Math.random() * serverNumbers);
      const now = await time.now();
      if (!(await inTime(renewEvery, takeLease(leases, now, request(number))))) continue;
      planRenewal(number);
      return { number, until: until(now) };
    }
    const cause = new Error("All server numbers are leased.");
    throw new TelexError("storage_unavailable", { cause });
  }
  async function renew(number: number): Promise<void> {
    try {
      const now = await time.now();
      if (!(await inTime(renewEvery, renewLease(leases, now, request(number))))) return;
      leased = { number, until: until(now) };
    } catch {
      // If renewals keep failing, the lease expires.
    }
    if (leased?.number === number) planRenewal(number);
  }
  function planRenewal(number: number): void {
    cancel?.();
    cancel = clock.after(renewEvery, () => void renew(number));
  }

  return {
    async current() {
      if (leased !== null && (await time.now()) < leased.until) return leased.number;
      leasing ??= lease().finally(() => (leasing = null));
      leased = await leasing;
      return leased.number;
    },
    async close() {
      cancel?.();
      if (leased === null) return;
      const name = `server/${leased.number}`;
      const ended = time.now().then((now) => endLease(leases, now, name, holder));
      await inTime(renewEvery, ended).catch(() => undefined);
    },
  };
}
