/** Resolves after some milliseconds, or when the signal is aborted. */
export async function waitFor(time: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = (): void => resolve();
  const timer = setTimeout(done, time);
  signal.addEventListener("abort", done);
  await promise;
  clearTimeout(timer);
  signal.removeEventListener("abort", done);
}

/** Resolves with the value of the promise; with null if the promise rejects or takes longer than `time` milliseconds. */
export async function within<T>(promise: Promise<T>, time: number): Promise<T | null> {
  const settled = new AbortController();
  const late = waitFor(time, settled.signal).then(() => null);
  try {
    return await Promise.race([promise, late]);
  } catch {
    return null;
  } finally {
    settled.abort();
  }
}

/** Joins simultaneous calls of one tick into one run. */
export function shared(run: () => Promise<void>): () => Promise<void> {
  let next: Promise<void> | null = null;
  return () =>
    (next ??= Promise.resolve().then(() => {
      next = null;
      return run();
    }));
}
