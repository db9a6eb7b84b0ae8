/**
 * Settles as a promise does, unless something else makes it fail first.
 * @param watch begins to watch for a failure, and returns the function that ends that
 */
export async function unlessFailed<T>(
  promise: Promise<T>,
  watch: (fail: (cause: Error) => void) => () => void,
): Promise<T> {
  const failed = Promise.withResolvers<never>();
  const end = watch(failed.reject);
  try {
    return await Promise.race([promise, failed.promise]);
  } finally {
    end();
  }
}
