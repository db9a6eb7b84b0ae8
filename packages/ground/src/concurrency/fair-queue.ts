import { TelexError } from "../errors/errors.ts";
import type { Clock } from "../time/clock.ts";

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

/** Limits simultaneous tasks. The keys take turns, so that a key with many tasks does not delay the others. */
interface FairQueue {
  /**
   * Runs a task when its turn comes. Tasks of one key begin in the order of the calls.
   * @param signal when it aborts, a waiting task leaves the queue and never runs
   * @throws TelexError `rate_limited` if too many tasks are waiting, if this one has waited too long, or if `signal` aborts first
   */
  run<T>(key: string, signal: AbortSignal | undefined, task: () => Promise<T>): Promise<T>;
}

interface KeyQueue {
  readonly key: string;
  running: number;
  /** Functions that each begin a task. */
  readonly waiting: Set<() => void>;
}

/** Seconds after which a rejected caller may try again. */
const retryAfter = 1;
const refusal = (): TelexError => new TelexError("rate_limited", { retryAfter });

class KeyQueues {
  readonly #limits: FairQueueLimits;
  /** In the order of their next turns. Keys without tasks have no queue. */
  readonly #queues = new Map<string, KeyQueue>();
  #running = 0;
  #waiting = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** The queue of a key, or a new one if the key has no tasks. */
  of(key: string): KeyQueue {
    return this.#queues.get(key) ?? { key, running: 0, waiting: new Set() };
  }

  /** False if too many tasks are waiting. Otherwise, `begin` is called when the task may run. */
  add(queue: KeyQueue, begin: () => void): boolean {
    const { waiting, waitingOfKey } = this.#limits;
    const isFull = this.#waiting >= waiting || queue.waiting.size >= waitingOfKey;
    if (isFull && !this.#isFree(queue)) return false;
    this.#queues.set(queue.key, queue);
    queue.waiting.add(begin);
    this.#waiting += 1;
    this.#admit();
    return true;
  }

  /** Removes a waiting task. Has no effect on a running one. */
  leave(queue: KeyQueue, begin: () => void): void {
    if (!queue.waiting.delete(begin)) return;
    this.#waiting -= 1;
    this.#forget(queue);
  }

  /** Notes the end of a task. */
  end(queue: KeyQueue): void {
    queue.running -= 1;
    this.#running -= 1;
    this.#forget(queue);
    this.#admit();
  }

  #isFree({ running }: KeyQueue): boolean {
    return running < this.#limits.runningOfKey && this.#running < this.#limits.running;
  }

  /** Begins tasks. Its time grows with the tasks that run, and not with the keys that wait. */
  #admit(): void {
    // A queue moves behind the others after its turn, and is not looked at again.
    let others = this.#queues.size;
    for (const queue of this.#queues.values()) {
      if (others === 0 || this.#running >= this.#limits.running) return;
      others -= 1;
      const [begin] = queue.waiting;
      if (begin === undefined || !this.#isFree(queue)) continue;
      this.leave(queue, begin);
      queue.running += 1;
      this.#running += 1;
      this.#queues.delete(queue.key);
      this.#queues.set(queue.key, queue);
      begin();
    }
  }

  #forget({ key, running, waiting }: KeyQueue): void {
    if (running === 0 && waiting.size === 0) this.#queues.delete(key);
  }
}

/** @param clock measures how long a task has waited */
export function createFairQueue(limits: FairQueueLimits, clock: Pick<Clock, "after">): FairQueue {
  const queues = new KeyQueues(limits);
  const turn = async (queue: KeyQueue, signal: AbortSignal | undefined): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    if (signal?.aborted === true || !queues.add(queue, resolve)) throw refusal();
    const giveUp = (): void => {
      queues.leave(queue, resolve);
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
      const queue = queues.of(key);
      await turn(queue, signal);
      try {
        return await task();
      } finally {
        queues.end(queue);
      }
    },
  };
}
