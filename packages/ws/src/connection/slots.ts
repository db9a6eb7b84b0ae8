/** Counts open items for each key, up to a limit. */
interface Slots {
  /** Counts one item, and returns a function that releases it; null if the key is at its limit. */
  take(key: string): (() => void) | null;
}

/** @param limit maximum items of each key */
export function createSlots(limit: number): Slots {
  const taken = new Map<string, number>();
  const note = (key: string, count: number): unknown => (count > 0 ? taken.set(key, count) : taken.delete(key));
  return {
    take(key) {
      const count = taken.get(key) ?? 0;
      if (count >= limit) return null;
      note(key, count + 1);
      let isHeld = true;
      return () => {
        if (isHeld) note(key, (taken.get(key) ?? 0) - 1);
        isHeld = false;
      };
    },
  };
}
