/** Counts what is open for each key, up to a limit. */
interface Places {
  /** Takes one place, and returns what gives it back; null if the key has them all. */
  take(key: string): (() => void) | null;
}

/** @param limit places of each key */
export function createPlaces(limit: number): Places {
  const taken = new Map<string, number>();
  return {
    take(key) {
      const count = taken.get(key) ?? 0;
      if (count >= limit) return null;
      taken.set(key, count + 1);
      let isHeld = true;
      return () => {
        if (!isHeld) return;
        isHeld = false;
        const left = (taken.get(key) ?? 0) - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      };
    },
  };
}
