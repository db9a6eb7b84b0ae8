import { createLru } from "./lru.ts";

/** Values that are loaded once per key and kept until they are forgotten or evicted. */
export interface Cache<K, V> {
  /** The value. Simultaneous callers share one load. A load that fails is not kept. */
  get(key: K): Promise<V>;
  /** The next `get` loads again, even if a load is in progress now. */
  forget(key: K): void;
  clear(): void;
}

/** A {@link Cache} of at most `max` values that evicts the least recently used value first. */
export function createCache<K extends string | number, V>(max: number, load: (key: K) => Promise<V>): Cache<K, V> {
  const values = createLru<K, Promise<V>>(max);
  const begin = (key: K): Promise<V> => {
    const loading = load(key);
    values.set(key, loading);
    loading.catch(() => {
      if (values.peek(key) === loading) values.delete(key);
    });
    return loading;
  };
  return {
    get: (key) => values.get(key) ?? begin(key),
    forget: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}
