/**
 * Settles promises in the order in which they were given: the answer to a later call is seen only after those to all
 * earlier calls are. A rejection does not stop the next one.
 */
export function createOrdered(): <T>(promise: Promise<T>) => Promise<T> {
  let last: Promise<void> = Promise.resolve();
  return async (promise) => {
    const before = last;
    // Settles without a value: a chain of values would keep every answer there ever was.
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
