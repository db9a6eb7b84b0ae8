/** A map with a set of values for each key. */
export interface Multimap<K, V> {
  readonly of: (key: K) => ReadonlySet<V>;
  /** The keys that have a value. */
  readonly keys: () => Iterable<K>;
  readonly add: (key: K, value: V) => void;
  /** False if the key did not have the value. */
  readonly remove: (key: K, value: V) => boolean;
}

/** Creates an empty map. `of` returns an empty set for an unknown key. */
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
