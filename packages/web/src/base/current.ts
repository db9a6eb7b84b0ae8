/** Keeps the current one of several items, such as a room. */
export function createCurrent<K, T extends object>(keyOf: (item: T) => K) {
  let current: T | null = null;
  const of = (key: K): T | null => (current !== null && keyOf(current) === key ? current : null);
  return {
    /** The item with this key, if it is the current one. */
    of,
    /** The current item, whatever its key is. */
    get: () => current,
    /** Makes the item with this key the current one. It is created unless it already is. */
    open: (key: K, create: () => T): T => (current = of(key) ?? create()),
    /** Leaves the current item. */
    leave: (): void => {
      current = null;
    },
  };
}
