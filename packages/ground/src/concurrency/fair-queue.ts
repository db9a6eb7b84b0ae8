import { TelexError } from "../errors/errors.ts";
import type { Clock } from "../time/clock.ts";

/** The number of simultaneous tasks, and of tasks that wait, and for how long. */
interface FairQueueLimits {
  /** Tasks of all keys that run simultaneously. */
  readonly running: number;
  /** Tasks of one key that run simultaneously. */
  readonly runningOfKey: number;
  /** Tasks of all keys that may wait. */
  readonly waiting: number;
  /** Tasks of one key that may wait. */
  readonly waitingOfKey: number;
  /** Milliseconds that a task may wait. */
  readonly wait: number;
}

/** Limits simultaneous tasks. The keys take turns, so that one with many tasks does not delay the others. */
interface FairQueue {
  /**
   * Runs a task when its turn comes. Tasks of one key begin in the order of the calls.
   * @param signal when it aborts, a task that waits leaves the queue, and never runs
   * @throws TelexError `rate_limited` if too many tasks wait, if this one has waited too long, or if `signal` aborts first
   */
  run<T>(key: string, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T>;
}

interface Line {
  readonly key: string;
  running: number;
  /** Each begins a task. */
  readonly waiting: Set<() => void>;
}

/** Seconds after which a caller that was refused may try again. */
const retryAfter = 1;
const refusal = (): TelexError => new TelexError("rate_limited", { retryAfter });

class Lines {
  readonly #limits: FairQueueLimits;
  /** In the order of their next turns. One without tasks is not here. */
  readonly #lines = new Map<string, Line>();
  #running = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** The line of a key: a new one if it has no tasks. */
  of(key: string): Line {
    return this.#lines.get(key) ?? { key, running: 0, waiting: new Set() };
  }

  /** False if too many tasks wait. Otherwise `begin` is called when the task may run. */
  add(line: Line, begin: () => void): boolean {
    const { waiting, waitingOfKey } = this.#limits;
    const isFull = this.#waiting >= waiting || line.waiting.size >= waitingOfKey;
    if (isFull && !this.#isFree(line)) return false;
    this.#lines.set(line.key, line);
    line.waiting.add(begin);
    this.#waiting += 1;
    this.#admit();
    return true;
  }

  /** Removes a task that waits. Changes nothing for one that runs. */
  leave(line: Line, begin: () => void): void {
    if (!line.waiting.delete(begin)) return;
    this.#waiting -= 1;
    this.#forget(line);
  }

  /** A task is over. */
  end(line: Line): void {
    line.running -= 1;
    this.#running -= 1;
    this.#forget(line);
    this.#admit();
  }

  #isFree({ running }: Line): boolean {
    return running < this.#limits.runningOfKey && this.#running < this.#limits.running;
  }

  #admit(): void {
    // A copy: a line moves behind the others with its turn.
    for (const line of Array.from(this.#lines.values())) {
      const [begin] = line.waiting;
      if (begin === undefined || !this.#isFree(line)) continue;
      this.leave(line, begin);
      line.running += 1;
      this.#running += 1;
      this.#lines.delete(line.key);
      this.#lines.set(line.key, line);
      begin();
    }
  }

  #forget({ key, running, waiting }: Line): void {
    if (running === 0 && waiting.size === 0) this.#lines.delete(key);
  }
}

/** An empty {@link FairQueue}. `clock` measures how long a task has waited. */
export function createFairQueue(limits: FairQueueLimits, clock: Pick<Clock, "after">): FairQueue {
  const lines = new Lines(limits);
  const turn = async (line: Line, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted === true || !lines.add(line, resolve)) throw refusal();
    const giveUp = (): void => {
      lines.leave(line, resolve);
      reject(refusal());
    };
    const cancel = clock.after(limits.wait, giveUp);
    signal?.addEventListener("abort", giveUp);
    await promise.finally(() => {
      cancel();
      signal?.removeEventListener("abort", giveUp);
    });
  };
  return {
    async run(key, signal, task) {
      const line = lines.of(key);
      await turn(line, signal);
      try {
        return await task();
      } finally {
        lines.end(line);
      }
    },
  };
}
