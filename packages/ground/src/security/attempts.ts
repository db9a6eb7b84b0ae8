import { createLru } from "../caches/lru.ts";
import { TelexError } from "../errors/errors.ts";
import type { Clock } from "../time/clock.ts";

const window = 60_000;
const keys = 10_000;

/**
 * Counts attempts per key in windows of a minute, in this process.
 * @returns a function that throws TelexError `rate_limited` after `perMinute` attempts
 */
export function createAttempts(clock: Clock, perMinute: number): (key: number) => void {
  const counts = createLru<number, { readonly since: number; count: number }>(keys);
  return (key) => {
    const now = clock.now();
    const count = counts.get(key);
    const current = count !== undefined && now - count.since < window ? count : { since: now, count: 0 };
    current.count += 1;
    counts.set(key, current);
    if (current.count > perMinute) {
      throw new TelexError("rate_limited", {
        retryAfter: Math.max(1, Math.ceil((current.since + window - now) / 1000)),
      });
    }
  };
}
