import type { Clock } from "@telex/ground/time";
import type { MessagesLimits } from "../limits.ts";

interface FreshnessDeps {
  readonly clock: Clock;
  readonly limits: Pick<MessagesLimits, "lostMessageCheck">;
}

/** Knows if this server has recently checked for messages that the bus lost. */
interface Freshness {
  /**
   * True if the last check was too long ago, because the storage was away or this process was stopped. Then a lost message may be so much
   * older than new ones that a client with the new ones would not get it with `since`. False on a server without a bus, which never checks.
   */
  readonly isStale: () => boolean;
  /** Checks. Rejects if the storage fails. */
  readonly check: () => Promise<void>;
}

/** @param look finds the messages that were lost before the previous check */
export function createFreshness({ clock, limits }: FreshnessDeps, look: () => Promise<void>): Freshness {
  let lookedAt = Number.POSITIVE_INFINITY;
  const isStale = (): boolean => clock.now() - lookedAt > 1.5 * limits.lostMessageCheck;
  return {
    isStale,
    async check() {
      if (isStale()) await look();
      const begun = clock.now();
      await look();
      lookedAt = begun;
    },
  };
}
