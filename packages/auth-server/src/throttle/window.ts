import { TelexError } from "@telex/core";
import type { Clock } from "@telex/core";
import { LRUCache } from "lru-cache";

/** How many wrong attempts a key has in a time. */
interface WindowLimit {
  readonly most: number;
  /** Milliseconds. */
  readonly time: number;
}

/** Counts attempts by key. */
interface AttemptWindow {
  /** True if the key has used up its attempts. */
  readonly isFull: (key: string) => boolean;
  /** Counts an attempt; a negative number gives attempts back. */
  readonly add: (key: string, attempts: number) => void;
  /** The error for a key that has used up its attempts. */
  readonly refusal: (key: string) => TelexError;
}

/** Keys that are remembered. An attacker who wants to push one out meets the limit of the server first. */
const keys = 20_000;

/** Counts attempts in this process, in windows that begin with the first attempt. */
export function createAttemptWindow(clock: Clock, { most, time }: WindowLimit): AttemptWindow {
  const counts = new LRUCache<string, { readonly until: number; count: number }>({ max: keys });
  const current = (key: string) => {
    const stored = counts.get(key);
    return stored !== undefined && stored.until > clock.now() ? stored : { until: clock.now() + time, count: 0 };
  };
  return {
    isFull: (key) => current(key).count >= most,
    add(key, attempts) {
      const window = current(key);
      window.count = Math.max(0, window.count + attempts);
      counts.set(key, window);
    },
    refusal(key) {
      const retryAfter = Math.max(1, Math.ceil((current(key).until - clock.now()) / 1000));
      return new TelexError("rate_limited", { params: { retryAfter }, retryAfter });
    },
  };
}
