import { atEndOfTick } from "./tick.ts";

/** Maximum keys of one load. */
const most = 1000;

/**
 * Combines all loads of one tick, so that a list of 1,000 values needs one query to the storage.
 * @param load finds the values of different keys, at most 1,000, in any order
 * @returns a function that resolves with the value of a key, or null. It rejects if the load fails
 */
export function createTogether<K, V>(
  load: (keys: readonly K[]) => Promise<readonly V[]>,
  keyOf: (value: V) => K,
): (key: K) => Promise<V | null> {
  let next: { readonly keys: Set<K>; readonly values: Promise<ReadonlyMap<K, V>> } | null = null;
  const begin = (): NonNullable<typeof next> => {
    const keys = new Set<K>();
    const { promise, resolve } = Promise.withResolvers<void>();
    atEndOfTick(resolve);
    const values = promise.then(async () => {
      if (next?.keys === keys) next = null;
      return new Map((await load([...keys])).map((value) => [keyOf(value), value]));
    });
    return { keys, values };
  };
  return async (key) => {
    if (next === null || next.keys.size >= most) next = begin();
    next.keys.add(key);
    return (await next.values).get(key) ?? null;
  };
}
