/** Now, and later: what a service knows of time. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number;
  /** Calls `run` once after `delay` milliseconds; the returned function calls it off. Does not keep a process alive. */
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
