/**
 * Settles like a promise, unless `watch` reports a failure first.
 * @param watch starts watching for a failure, and returns a function that stops it
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
