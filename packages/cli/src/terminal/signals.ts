import type { EventEmitter } from "node:events";

/** The exit codes that shells expect after a signal. */
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/** A signal that asks a program to end. */
export type StopSignal = keyof typeof exitCodes;

/**
 * Milliseconds in which repeats of a signal count once: a key press reaches the process from the terminal, and again from npm, which
 * forwards signals to its script.
 */
const echo = 500;

/** Emits signals. */
export type SignalSource = Pick<EventEmitter, "on">;

/** Calls `first` at the first SIGINT or SIGTERM, and `second` at the next one. */
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
 * Aborts at the first SIGINT or SIGTERM, or after some seconds, so that the command can end in order. A second signal ends the process
 * immediately.
 */
export function untilStopped(seconds?: number): AbortSignal {
  const stop = new AbortController();
  onStopSignals(
    () => stop.abort(),
    (signal) => process.exit(exitCodes[signal]),
  );
  // The timer must not keep the process alive when the command is done.
  if (seconds !== undefined) setTimeout(() => stop.abort(), seconds * 1000).unref();
  return stop.signal;
}
