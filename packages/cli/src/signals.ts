/** What a shell expects of a program that a signal has ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Aborted by the first SIGINT or SIGTERM, or after some seconds: the command then ends in its own way. A second signal
 * ends the process at once.
 */
export function untilStopped(seconds?: number): AbortSignal {
  const stop = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      if (stop.signal.aborted) process.exit(exitCodes[signal]);
      stop.abort();
    });
  }
  // The timer keeps nothing alive: what the command does, does.
  if (seconds !== undefined) setTimeout(() => stop.abort(), seconds * 1000).unref();
  return stop.signal;
}
