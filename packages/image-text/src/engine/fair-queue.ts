import { TelexError } from "@telex/ground/errors";

/** The purpose of an image job. */
export type JobKind = "text" | "preview" | "avatar";

/** Bounds simultaneous jobs. Kinds take turns, so that many jobs of one kind cannot keep another kind waiting. */
interface FairQueue {
  /**
   * Resolves when it is the turn of a job, to a function that ends the turn.
   * @throws TelexError `busy` if too many jobs of this kind wait, `shutting_down` if it was closed, also while waiting
   */
  enter(kind: JobKind): Promise<() => void>;
  /** Rejects all callers, including those that wait. */
  close(): void;
}

type Waiting = PromiseWithResolvers<() => void>;

/** Seconds after which a caller that found every place taken may try again. */
const retryAfter = 1;

/** The jobs that wait, by kind. */
function createQueues() {
  /** In the order of their turns: the kind that is served moves to the end. */
  const queues = new Map<JobKind, Waiting[]>();
  return {
    lengthOf: (kind: JobKind): number => queues.get(kind)?.length ?? 0,
    add(kind: JobKind, waiting: Waiting): void {
      const queue = queues.get(kind) ?? [];
      queue.push(waiting);
      queues.set(kind, queue);
    },
    takeNext(): Waiting | undefined {
      const [next] = queues;
      if (next === undefined) return undefined;
      const [kind, queue] = next;
      const waiting = queue.shift();
      queues.delete(kind);
      if (queue.length > 0) queues.set(kind, queue);
      return waiting;
    },
    takeAll(): Waiting[] {
      const all = [...queues.values()].flat();
      queues.clear();
      return all;
    },
  };
}

/**
 * @param capacity how many jobs may run simultaneously
 * @param places how many jobs of each kind may wait
 */
export function createFairQueue(capacity: number, places: number): FairQueue {
  const queues = createQueues();
  let running = 0;
  let isClosed = false;
  const leave = (): void => {
    running -= 1;
    admit();
  };
  const admit = (): void => {
    while (running < capacity) {
      const next = queues.takeNext();
      if (next === undefined) return;
      running += 1;
      next.resolve(leave);
    }
  };
  return {
    async enter(kind) {
      if (isClosed) throw new TelexError("shutting_down");
      if (queues.lengthOf(kind) >= places && running >= capacity) throw new TelexError("busy", { retryAfter });
      const waiting: Waiting = Promise.withResolvers();
      queues.add(kind, waiting);
      admit();
      return await waiting.promise;
    },
    close() {
      isClosed = true;
      for (const { reject } of queues.takeAll()) reject(new TelexError("shutting_down"));
    },
  };
}
