/**
 * Settles promises in the order in which they were passed: a caller sees its result only after the results of all earlier
 * calls. A rejection does not stop the next one.
 */
export function createOrdered(): <T>(promise: Promise<T>) => Promise<T> {
  let last: Promise<void> = Promise.resolve();
  return async (promise) => {
    const before = last;
    // Settles without a value, because a chain of values would keep every result in memory.
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    last = settled;
    try {
      return await promise;
    } finally {
      await before;
      resolve();
    }
  };
}
