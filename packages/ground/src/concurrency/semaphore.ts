import { TelexError } from "../errors/errors.ts";

/** Limits simultaneous work. Callers wait for capacity; first come, first served. */
interface Semaphore {
  /**
   * Resolves when there is enough capacity, with a function that releases it. A weight above the capacity counts as the whole capacity.
   * @throws TelexError `busy` if too many callers are waiting, `shutting_down` if it was closed before or while waiting
   */
  enter(weight: number): Promise<() => void>;
  /** Rejects all callers, including waiting ones. */
  close(): void;
}

interface Waiting {
  readonly weight: number;
  readonly resolve: (leave: () => void) => void;
  readonly reject: (error: TelexError) => void;
}

/** Seconds after which a rejected caller may try again. */
const retryAfter = 1;

/**
 * @param capacity the weight that may be inside simultaneously
 * @param maxWaiting how many callers may wait
 */
export function createSemaphore(capacity: number, maxWaiting: number): Semaphore {
  const queue: Waiting[] = [];
  let inside = 0;
  let closed = false;

  const admit = (): void => {
    for (let next = queue[0]; next !== undefined && inside + next.weight <= capacity; next = queue[0]) {
      const { weight, resolve } = next;
      queue.shift();
      inside += weight;
      resolve(createLeave(weight));
    }
  };
  const createLeave = (weight: number) => (): void => {
    inside -= weight;
    admit();
  };

  return {
    async enter(wanted) {
      if (closed) throw new TelexError("shutting_down");
      const weight = Math.min(wanted, capacity);
      if (queue.length >= maxWaiting && inside + weight > capacity) throw new TelexError("busy", { retryAfter });
      const { promise, resolve, reject } = Promise.withResolvers<() => void>();
      queue.push({ weight, resolve, reject });
      admit();
      return await promise;
    },
    close() {
      closed = true;
      for (const { reject } of queue.splice(0)) reject(new TelexError("shutting_down"));
    },
  };
}
