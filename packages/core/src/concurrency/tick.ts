// CONTRIBUTING.md says what a tick is, and when to use which.

/** Runs something at the end of this tick of the event loop: after everything that its promises lead to. */
export const atEndOfTick = (run: () => void): void => queueMicrotask(() => process.nextTick(run));

/** Resolves in the next tick of the event loop: timers, sockets and other callers have their turn before. */
export const nextTick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
