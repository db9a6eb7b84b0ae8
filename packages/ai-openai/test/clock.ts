import type { Clock } from "@telex/core";

/** A clock that a test moves. */
export interface HandClock extends Clock {
  /** Moves the time on, and runs what is due. */
  advance(by: number): void;
  /** The milliseconds until each timer is due. */
  waiting(): readonly number[];
}

export function createHandClock(): HandClock {
  let now = 0;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  return {
    now: () => now,
    after(delay, run) {
      const timer = { at: now + delay, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    advance(by) {
      now += by;
      for (const timer of [...timers].filter(({ at }) => at <= now)) {
        timers.delete(timer);
        timer.run();
      }
    },
    waiting: () => Array.from(timers, ({ at }) => at - now).toSorted((a, b) => a - b),
  };
}
