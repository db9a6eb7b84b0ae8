import { LRUCache } from "lru-cache";

/** The part of an LRU cache that a small cache needs. */
interface LateLru<K, V> {
  get(key: K): V | undefined;
  has(key: K): boolean;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
  readonly size: number;
}

/**
 * At most `max` values, the least recently used out first. An LRU cache takes the memory of all its entries when it is made, which was most of the
 * time that an instance took to begin. This one is made with its first value: most instances keep none.
 */
export function createLateLru<K extends string | number, V extends {}>(max: number): LateLru<K, V> {
  let made: LRUCache<K, V> | null = null;
  return {
    get: (key) => made?.get(key),
    has: (key) => made?.has(key) ?? false,
    set: (key, value) => void (made ??= new LRUCache({ max })).set(key, value),
    delete: (key) => void made?.delete(key),
    clear: () => made?.clear(),
    get size() {
      return made?.size ?? 0;
    },
  };
}
