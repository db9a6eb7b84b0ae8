import { createMultimap } from "./multimap.ts";

/** Counts open items for each key, up to a limit. */
interface Slots {
  /** Counts one item, and returns a function that releases it; null if the key is at its limit. A second release changes nothing. */
  take(key: string | number): (() => void) | null;
}

/** @param limit maximum items of each key */
export function createSlots(limit: number): Slots {
  const taken = createMultimap<string | number, object>();
  return {
    take(key) {
      if (taken.of(key).size >= limit) return null;
      const item = {};
      taken.add(key, item);
      return () => void taken.remove(key, item);
    },
  };
}
