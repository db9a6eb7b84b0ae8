/** The time functions of a client. */
export interface ClientClock {
  /** Unix milliseconds. */
  now(): number;
  /** Calls `run` once after `delay` milliseconds. The returned function cancels it. */
  after(delay: number, run: () => void): () => void;
}

/** The clock of the machine. Its timers keep the process alive. */
export const systemClock: ClientClock = {
  now: () => Date.now(),
  after(delay, run) {
    const timer = setTimeout(run, delay);
    return () => clearTimeout(timer);
  },
};

/** Bounds of the pauses between attempts to connect, in milliseconds. */
export interface Pauses {
  /** The maximum pause after the first failure. It doubles with each failure. Default 1000. */
  readonly firstPause?: number | undefined;
  /** Default 30,000. */
  readonly longestPause?: number | undefined;
}

/**
 * Milliseconds before the next attempt to connect: exponential with full jitter, so that clients do not reconnect simultaneously
 * when a server returns.
 * @param failures attempts that failed in a row, from 1
 * @param chance from 0 to 1
 */
export const pauseAfter = (
  failures: number,
  chance: number,
  { firstPause = 1000, longestPause = 30_000 }: Pauses = {},
): number => Math.round(chance * Math.min(longestPause, firstPause * 2 ** (failures - 1)));

/** A wait that ends after a time, or when the gate is opened. */
export function createGate(clock: ClientClock) {
  let open = (): void => {};
  return {
    /** @param length milliseconds; null waits until the gate is opened */
    wait: (length: number | null): Promise<void> =>
      new Promise((resolve) => {
        const cancel = length === null ? () => {} : clock.after(length, resolve);
        open = () => {
          cancel();
          resolve();
        };
      }),
    open: (): void => open(),
  };
}
