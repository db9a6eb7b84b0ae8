/** Counts what is open for each key, up to a limit. */
interface Places {
  /** Takes one place, and returns what gives it back; null if the key has them all. */
  take(key: string): (() => void) | null;
}

/** @param limit places of each key */
export function createPlaces(limit: number): Places {
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
