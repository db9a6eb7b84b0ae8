import type { Clock } from "../time/clock.ts";
import { ticks } from "./ticks.ts";

/** A clock that stands still until a test moves it. */
export interface ManualClock extends Clock {
  /**
   * Moves the clock, and runs everything that has fallen due, in order. What is due already runs before this returns. The
   * promise resolves when what it has caused is done, and nothing is due any more.
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
  const runDue = (): boolean => {
    const due = [...timers].filter(({ at }) => at <= now).toSorted((a, b) => a.at - b.at);
    for (const timer of due) if (timers.delete(timer)) timer.run();
    return due.length > 0;
  };
  return {
    now: () => now,
    after(delay, run) {
      const timer = { at: now + delay, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    async advance(by) {
      now += by;
      runDue();
      do await ticks();
      while (runDue());
    },
    waiting: () => Array.from(timers, ({ at }) => at - now).toSorted((a, b) => a - b),
  };
}
