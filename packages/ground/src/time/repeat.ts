import type { Clock } from "./clock.ts";

/**
 * Calls `step` after each interval (milliseconds). An interval begins when the previous step has ended. `step` must not fail.
 * Returns a function that stops it.
 */
export function repeat(clock: Clock, interval: number, step: () => Promise<void> | void): () => void {
  let hasEnded = false;
  let cancel = (): void => {};
  const plan = (): void => {
    if (hasEnded) return;
    cancel = clock.after(interval, () => {
      const running = step();
      // Synchronous, so that a test clock that advances several intervals calls a synchronous step several times.
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
