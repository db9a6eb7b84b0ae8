import type { Clock } from "@telex/core";
import { LRUCache } from "lru-cache";
import { z } from "zod";

/** Milliseconds by which the time of an event may differ from ours: an older one says nothing of what holds now. */
const window = 300_000;
/** Signatures of an account that are remembered. */
const most = 10_000;

const timed = z.object({ time: z.number() });

/**
 * Tells signed events that may not come from the bot now, but from somebody who has seen them: their messages are stored once in any
 * case, and they must say nothing of what holds now. What is remembered ends with the process.
 */
export interface Replays {
  /**
   * True for an event whose signature has come before, whose time is too far from now, or that has no time.
   * @param account something that stands for the account
   */
  isOld(account: object, signature: string, event: unknown): boolean;
}

/** Nothing has come yet. */
export function createReplays(clock: Clock): Replays {
  const seen = new WeakMap<object, LRUCache<string, number>>();
  const seenOf = (account: object): LRUCache<string, number> => {
    const known = seen.get(account) ?? new LRUCache<string, number>({ max: most });
    seen.set(account, known);
    return known;
  };
  return {
    isOld(account, signature, event) {
      const known = seenOf(account);
      const now = clock.now();
      const { data } = timed.safeParse(event);
      const isTimely = data !== undefined && Math.abs(now - 1000 * data.time) <= window;
      const isRepeated = now - (known.get(signature) ?? -Infinity) <= 2 * window;
      if (isTimely && !isRepeated) known.set(signature, now);
      return isRepeated || !isTimely;
    },
  };
}
