import type { Clock } from "./clock.ts";

/**
 * Calls `step` after each interval (milliseconds). An interval begins when the step before has ended. `step` must not fail.
 * Returns how to end it.
 */
export function repeat(clock: Clock, interval: number, step: () => Promise<void> | void): () => void {
  let hasEnded = false;
  let cancel = (): void => {};
  const plan = (): void => {
    if (hasEnded) return;
    cancel = clock.after(interval, () => {
      const running = step();
      // A clock of a test that moves on far calls a step that is not a promise several times.
      if (running === undefined) plan();
      else void running.then(plan);
    });
  };
  plan();
  return () => {
    hasEnded = true;
    cancel();
  };
}
