import { atEndOfTick } from "./tick.ts";

/** Keys that one load takes. */
const most = 1000;

/**
 * Loads together what is asked for in one tick: a list of 1,000 values is one question to the storage.
 * @param load finds the values of different keys, at most 1,000, in any order
 * @returns the value of a key, null if there is none. Rejects if its load has failed
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
