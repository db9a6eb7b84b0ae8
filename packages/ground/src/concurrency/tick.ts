// CONTRIBUTING.md explains ticks, and when to use which function.

/** Calls a function at the end of this tick of the event loop, after all of its promises. */
export const atEndOfTick = (run: () => void): void => queueMicrotask(() => process.nextTick(run));

/** Resolves in the next tick of the event loop, after timers, sockets and other callers had their turn. */
export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Splits work into ticks. Call the returned function before each part with the amount of work. It resolves in the next
 * tick if this tick would exceed `most`; otherwise immediately.
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
