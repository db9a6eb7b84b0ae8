/** A map with several values for a key, each at most once. */
export interface Multimap<K, V> {
  readonly of: (key: K) => ReadonlySet<V>;
  /** The keys that have a value. */
  readonly keys: () => Iterable<K>;
  readonly add: (key: K, value: V) => void;
  /** False if the value was not there. */
  readonly remove: (key: K, value: V) => boolean;
}

/** An empty {@link Multimap}. */
export function createMultimap<K, V>(): Multimap<K, V> {
  const sets = new Map<K, Set<V>>();
  const none: ReadonlySet<V> = new Set();
  return {
    of: (key) => sets.get(key) ?? none,
    keys: () => sets.keys(),
    add: (key, value) => void sets.set(key, (sets.get(key) ?? new Set<V>()).add(value)),
    remove(key, value) {
      const own = sets.get(key);
      const wasThere = own?.delete(value) ?? false;
      if (own?.size === 0) sets.delete(key);
      return wasThere;
    },
  };
}
