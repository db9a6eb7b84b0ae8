/** Locks a set of names, in the order of the calls. Returns a function that releases them. */
type Lock = (names: readonly string[]) => Promise<() => void>;

/** A call queues for all of its names simultaneously, so no two calls wait for each other. */
export function createLocks(): Lock {
  const last = new Map<string, Promise<void>>();
  return async (names) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = names.flatMap((name) => last.get(name) ?? []);
    for (const name of names) last.set(name, promise);
    await Promise.all(before);
    return () => {
      for (const name of names) if (last.get(name) === promise) last.delete(name);
      resolve();
    };
  };
}
