import { createMultimap } from "./multimap.ts";
import type { Clock } from "../time/index.ts";

interface Waiter {
  /** Resolves with false when the key is woken, the time has come, the signal aborts, or this is called off; with true when it is ended. */
  readonly woken: Promise<boolean>;
  cancel(): void;
}

/** Calls that wait, by keys. */
export interface Waiting {
  wake(key: string): void;
  /** Wakes those that wait for a key, and tells them that waiting again makes no sense. */
  end(key: string): void;
  /** Waits until `until` (Unix milliseconds) at the longest, or until the signal is aborted. */
  wait(key: string, until: number, signal: AbortSignal | undefined): Waiter;
  /** Wakes all, and ends the waiting. */
  close(): void;
  readonly closed: boolean;
  readonly size: number;
}

const woken: Waiter = { woken: Promise.resolve(false), cancel() {} };

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

/** Waiting by keys, such as devices, by the clock of an instance. */
export function createWaiting(clock: Clock): Waiting {
  const waiters = createWaiters();
  let closed = false;
  let size = 0;
  return {
    wake: (key) => waiters.wake(key, false),
    end: (key) => waiters.wake(key, true),
    wait(key, until, signal) {
      const rest = until - clock.now();
      if (closed || signal?.aborted === true || rest <= 0) return woken;
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
    get closed() {
      return closed;
    },
    get size() {
      return size;
    },
  };
}
