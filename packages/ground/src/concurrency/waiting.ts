import { createMultimap } from "./multimap.ts";
import type { Clock } from "../time/index.ts";

interface Waiter {
  /**
   * Resolves with false if the key was woken, the time is over, the signal aborts, or `cancel` is called. Resolves with true if the caller must
   * not wait again: the key was ended, or there was nothing to wait for.
   */
  readonly woken: Promise<boolean>;
  cancel(): void;
}

/** Waiting calls by key. */
export interface Waiting {
  wake(key: string): void;
  /** Wakes the calls that wait for a key, and tells them not to wait again. */
  end(key: string): void;
  /** Waits at most until `until` (Unix milliseconds), or until the signal aborts. */
  wait(key: string, until: number, signal: AbortSignal | undefined): Waiter;
  /** Wakes all calls. Later calls do not wait. */
  close(): void;
  readonly size: number;
}

const ended: Waiter = { woken: Promise.resolve(true), cancel() {} };

function createWaiters() {
  const waiters = createMultimap<string, (isEnded: boolean) => void>();
  const wake = (key: string, isEnded: boolean): void => {
    for (const resume of Array.from(waiters.of(key))) resume(isEnded);
  };
  return {
    wake,
    wakeAll(): void {
      for (const key of Array.from(waiters.keys())) wake(key, false);
    },
    add: waiters.add,
    remove: waiters.remove,
  };
}

/** Lets calls wait by keys, such as devices. */
export function createWaiting(clock: Clock): Waiting {
  const waiters = createWaiters();
  let closed = false;
  let size = 0;
  return {
    wake: (key) => waiters.wake(key, false),
    end: (key) => waiters.wake(key, true),
    wait(key, until, signal) {
      const rest = until - clock.now();
      if (closed || signal?.aborted === true || rest <= 0) return ended;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const resume = (isEnded: boolean): void => {
        cancel();
        signal?.removeEventListener("abort", end);
        if (waiters.remove(key, resume)) size -= 1;
        resolve(isEnded);
      };
      const end = (): void => resume(false);
      const cancel = clock.after(rest, end);
      signal?.addEventListener("abort", end);
      waiters.add(key, resume);
      size += 1;
      return { woken: promise, cancel: end };
    },
    close() {
      closed = true;
      waiters.wakeAll();
    },
    get size() {
      return size;
    },
  };
}
