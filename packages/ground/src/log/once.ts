import { createLru } from "../caches/lru.ts";
import type { Clock } from "../time/clock.ts";

const keysRemembered = 10_000;
const minute = 60_000;

/**
 * True the first time in a minute for each key. The keys that are remembered are bounded, so that many callers cost no
 * memory.
 */
export function createOnce(clock: Clock): (key: string) => boolean {
  const noted = createLru<string, number>(keysRemembered);
  return (key) => {
    const now = clock.now();
    const last = noted.get(key);
    if (last !== undefined && now - last < minute) return false;
    noted.set(key, now);
    return true;
  };
}
