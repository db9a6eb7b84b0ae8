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

/** What the promise resolves with; null if it rejects, or takes longer than some milliseconds. */
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

/** Runs what is asked for several times in one tick once, and tells all who asked. */
export function shared(run: () => Promise<void>): () => Promise<void> {
  let next: Promise<void> | null = null;
  return () =>
    (next ??= Promise.resolve().then(() => {
      next = null;
      return run();
    }));
}
