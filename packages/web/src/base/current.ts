/** Remembers the current one of several, such as a room. */
export function createCurrent<K, T extends object>(keyOf: (item: T) => K) {
  let current: T | null = null;
  const of = (key: K): T | null => (current !== null && keyOf(current) === key ? current : null);
  return {
    /** The one with this key, if it is the current one. */
    of,
    /** The current one, with any key. */
    get: () => current,
    /** Looks at the one with this key, which is created if another one was looked at. */
    open: (key: K, create: () => T): T => (current = of(key) ?? create()),
    /** Looks at none. */
    leave: (): void => {
      current = null;
    },
  };
}
