import { createLru } from "../caches/lru.ts";
import type { Clock } from "../time/clock.ts";

const keysRemembered = 10_000;
const minute = 60_000;

/**
 * Returns true the first time in a minute for each key. The number of remembered keys is limited, so that many callers do not
 * fill the memory.
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
