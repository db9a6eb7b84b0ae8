/** Remembers the one of several that is looked at, such as a room. */
export function createCurrent<K, T extends object>(keyOf: (item: T) => K) {
  let current: T | null = null;
  const of = (key: K): T | null => (current !== null && keyOf(current) === key ? current : null);
  return {
    /** The one with this key, if it is looked at. */
    of,
    /** The one that is looked at, whichever it is. */
    get: () => current,
    /** Looks at the one with this key, which is created if another one was looked at. */
    open: (key: K, create: () => T): T => (current = of(key) ?? create()),
    /** Looks at none. */
    leave: (): void => {
      current = null;
    },
  };
}
