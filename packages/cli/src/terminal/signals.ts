import type { EventEmitter } from "node:events";

/** What a shell expects of a program that a signal has ended. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** A signal that asks a program to end. */
export type StopSignal = keyof typeof exitCodes;

/**
 * Milliseconds in which the same signal is one: a key pressed once comes from the terminal, and again from npm, which
 * passes on to its script what the script has got already.
 */
const echo = 500;

/** What tells of signals. */
export type SignalSource = Pick<EventEmitter, "on">;

/** Calls `first` at the first SIGINT or SIGTERM, and `second` when somebody insists. */
export function onStopSignals(
  first: (signal: StopSignal) => void,
  second: (signal: StopSignal) => void,
  source: SignalSource = process,
): void {
  let before: { readonly signal: StopSignal; readonly at: number } | undefined;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    source.on(signal, () => {
      if (before === undefined) {
        before = { signal, at: performance.now() };
        first(signal);
      } else if (before.signal !== signal || performance.now() - before.at > echo) second(signal);
    });
  }
}

/**
 * Aborted by the first SIGINT or SIGTERM, or after some seconds: the command then ends in its own way. A second signal
 * ends the process immediately.
 */
export function untilStopped(seconds?: number): AbortSignal {
  const stop = new AbortController();
  onStopSignals(
    () => stop.abort(),
    (signal) => process.exit(exitCodes[signal]),
  );
  // The timer keeps nothing alive: what the command does, does.
  if (seconds !== undefined) setTimeout(() => stop.abort(), seconds * 1000).unref();
  return stop.signal;
}
