import type { Clock } from "@telex/core";
import { ticks } from "./ticks.ts";

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /**
   * Moves the clock from timer to timer, and runs each one that is due, also those that are set on the way. They have run
   * when this returns. The promise resolves when their work is done and no timer is due.
   * @param by milliseconds, 0 and above
   */
  advance(by: number): Promise<void>;
  /** The milliseconds until each timer is due, the next one first. */
  waiting(): readonly number[];
}

/**
 * Creates a clock that stands still.
 * @param start Unix milliseconds; default 2026-11-20T08:15:30.123Z
 * @example
 * const clock = createManualClock();
 * clock.after(1000, () => console.log("a second later"));
 * await clock.advance(1000);
 */
export function createManualClock(start = Date.parse("2026-11-20T08:15:30.123Z")): ManualClock {
  let now = start;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const runDue = (end: number): boolean => {
    let hasRun = false;
    for (;;) {
      const [next] = [...timers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at);
      if (next === undefined) return hasRun;
      now = Math.max(now, next.at);
      timers.delete(next);
      next.run();
      hasRun = true;
    }
  };
  return {
    now: () => now,
    after(delay, run) {
      const timer = { at: now + delay, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(by) {
      const end = now + by;
      runDue(end);
      now = end;
      do await ticks();
      while (runDue(end));
    },
    waiting: () => Array.from(timers, ({ at }) => at - now).toSorted((a, b) => a - b),
  };
}
