/** The time and timers for services. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Calls `run` once after `delay` milliseconds. The returned function cancels it. Does not keep a process alive. */
  after(delay: number, run: () => void): () => void;
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(delay, run) {
    const timer = setTimeout(run, delay);
    timer.unref();
    return () => clearTimeout(timer);
  },
};
