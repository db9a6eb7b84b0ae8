import type { Clock } from "@telex/core";

/** Lets messages of an account start one after another, with time between. */
export interface Spacing {
  /** Resolves when this one may start: first come, first served. False if the signal comes first. */
  turn(signal: AbortSignal): Promise<boolean>;
}

/** @param interval milliseconds from one start to the next, 0 and above */
export function createSpacing(clock: Clock, interval: number): Spacing {
  const queue = new Set<() => void>();
  let isWaiting = false;
  const admit = (): void => {
    const [next] = queue;
    isWaiting = next !== undefined;
    if (next === undefined) return;
    queue.delete(next);
    next();
    clock.after(interval, admit);
  };
  return {
    turn(signal) {
      if (interval === 0 || signal.aborted) return Promise.resolve(!signal.aborted);
      return new Promise((resolve) => {
        const start = (): void => {
          signal.removeEventListener("abort", leave);
          resolve(true);
        };
        const leave = (): void => {
          queue.delete(start);
          resolve(false);
        };
        signal.addEventListener("abort", leave, { once: true });
        queue.add(start);
        if (!isWaiting) admit();
      });
    },
  };
}
