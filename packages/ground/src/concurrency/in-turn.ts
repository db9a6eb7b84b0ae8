/** Runs tasks with the same key one after another, in the order in which they were given. */
export interface InTurn {
  /** Runs a task when all earlier ones with the same key have ended. A failure does not stop the next one. */
  run<T>(key: string, task: () => Promise<T>): Promise<T>;
}

/** Creates queues without tasks. */
export function createInTurn(): InTurn {
  const last = new Map<string, Promise<void>>();
  return {
    async run(key, task) {
      const before = last.get(key);
      const { promise: over, resolve } = Promise.withResolvers<void>();
      last.set(key, over);
      try {
        await before;
        return await task();
      } finally {
        if (last.get(key) === over) last.delete(key);
        resolve();
      }
    },
  };
}
