// CONTRIBUTING.md explains ticks, and when to use which function.

/** Calls a function at the end of this tick of the event loop, after all of its promises. */
export const atEndOfTick = (run: () => void): void => queueMicrotask(() => process.nextTick(run));

/** Resolves in the next tick of the event loop: timers, sockets and other callers have their turn before. */
export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Cuts work into ticks. The returned function is called before each part with the work that it takes, and resolves in the next
 * tick if this one would have more than `most`; otherwise immediately.
 */
export function createPace(most: number): (work: number) => Promise<void> {
  let done = 0;
  return async (work) => {
    if (done > 0 && done + work > most) {
      done = 0;
      await nextTick();
    }
    done += work;
  };
}
