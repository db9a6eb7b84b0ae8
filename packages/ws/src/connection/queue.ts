/** What a connection is asked, one after another. */
export interface CommandQueue<T> {
  readonly push: (item: T) => void;
  /** Forgets what waits. */
  readonly clear: () => void;
  /** Resolves when nothing runs or waits any more. */
  readonly idle: () => Promise<void>;
  /** True while so much waits that nothing more should be read. */
  readonly isFull: () => boolean;
}

/** What a {@link CommandQueue} needs. */
export interface CommandQueueOptions<T> {
  /** Items that wait before `pause` is called. */
  readonly limit: number;
  /** Must not reject. */
  readonly run: (item: T) => Promise<void>;
  /** Asks the source to stop. */
  readonly pause: () => void;
  /** Asks the source to go on. */
  readonly resume: () => void;
}

/** A queue that runs one item at a time, in order, and slows its source down when too many wait. */
export function createCommandQueue<T>({ limit, run, pause, resume }: CommandQueueOptions<T>): CommandQueue<T> {
  const waiting: T[] = [];
  let running: Promise<void> | null = null;
  let full = false;

  const relax = (): void => {
    if (!full || waiting.length >= limit) return;
    full = false;
    resume();
  };
  const work = async (): Promise<void> => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      relax();
      await run(item);
    }
    running = null;
  };
  return {
    push(item) {
      waiting.push(item);
      if (waiting.length >= limit && !full) {
        full = true;
        pause();
      }
      running ??= work();
    },
    clear() {
      waiting.length = 0;
      relax();
    },
    idle: () => running ?? Promise.resolve(),
    isFull: () => full,
  };
}
