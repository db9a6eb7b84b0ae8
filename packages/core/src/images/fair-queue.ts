import { TelexError } from "../errors/errors.ts";

/** What an image job is for. */
export type JobKind = "text" | "preview" | "avatar";

/** Bounds what happens simultaneously. Kinds take turns, so that many jobs of one kind cannot keep another one waiting. */
interface FairQueue {
  /**
   * Resolves when it is the turn of a job, to a function that ends the turn.
   * @throws TelexError `busy` when too many jobs of this kind wait, `shutting_down` when it was closed, also while waiting
   */
  enter(kind: JobKind): Promise<() => void>;
  /** Refuses everybody from now on, those who wait included. */
  close(): void;
}

type Waiting = PromiseWithResolvers<() => void>;

/** Seconds after which a caller that found every place taken may try again. */
const retryAfter = 1;

/**
 * @param capacity how many jobs may run simultaneously
 * @param places how many jobs of each kind may wait
 */
export function createFairQueue(capacity: number, places: number): FairQueue {
  /** In the order of their turns: the kind that is served moves to the end. */
  const queues = new Map<JobKind, Waiting[]>();
  let running = 0;
  let isClosed = false;

  const takeNext = (): Waiting | undefined => {
    const [next] = queues;
    if (next === undefined) return undefined;
    const [kind, queue] = next;
    const waiting = queue.shift();
    queues.delete(kind);
    if (queue.length > 0) queues.set(kind, queue);
    return waiting;
  };
  const leave = (): void => {
    running -= 1;
    admit();
  };
  const admit = (): void => {
    while (running < capacity) {
      const next = takeNext();
      if (next === undefined) return;
      running += 1;
      next.resolve(leave);
    }
  };

  return {
    async enter(kind) {
      if (isClosed) throw new TelexError("shutting_down");
      const queue = queues.get(kind) ?? [];
      if (queue.length >= places && running >= capacity) throw new TelexError("busy", { retryAfter });
      const waiting: Waiting = Promise.withResolvers();
      queue.push(waiting);
      queues.set(kind, queue);
      admit();
      return await waiting.promise;
    },
    close() {
      isClosed = true;
      for (const queue of queues.values()) {
        for (const { reject } of queue) reject(new TelexError("shutting_down"));
      }
      queues.clear();
    },
  };
}
