import { createMultimap } from "@telex/ground/concurrency";
import type { Clock } from "@telex/ground/time";

interface Waiter {
  /**
   * Resolves with false when the device is woken, the time has come, the caller has left, or this is called off; with true when another
   * connection of the device takes over.
   */
  readonly woken: Promise<boolean>;
  cancel(): void;
}

/** Polls that wait for a message of a device. */
export interface Waiting {
  wake(deviceId: string): void;
  /** Ends the polls of a device, because a connection of the device takes over. */
  end(deviceId: string): void;
  /** Waits until `until` (Unix milliseconds) at the longest, or until the signal is aborted. */
  wait(deviceId: string, until: number, signal: AbortSignal | undefined): Waiter;
  /** Wakes all polls, and ends the waiting. */
  close(): void;
  readonly closed: boolean;
  readonly size: number;
}

const woken: Waiter = { woken: Promise.resolve(false), cancel() {} };

function createWaiters() {
  const waiters = createMultimap<string, (isTakenOver: boolean) => void>();
  const wake = (deviceId: string, isTakenOver: boolean): void => {
    for (const resume of Array.from(waiters.of(deviceId))) resume(isTakenOver);
  };
  return {
    wake,
    wakeAll(): void {
      for (const deviceId of Array.from(waiters.keys())) wake(deviceId, false);
    },
    add: waiters.add,
    remove: waiters.remove,
  };
}

export function createWaiting(clock: Clock): Waiting {
  const waiters = createWaiters();
  let closed = false;
  let size = 0;
  return {
    wake: (deviceId) => waiters.wake(deviceId, false),
    end: (deviceId) => waiters.wake(deviceId, true),
    wait(deviceId, until, signal) {
      const rest = until - clock.now();
      if (closed || signal?.aborted === true || rest <= 0) return woken;
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const resume = (isTakenOver: boolean): void => {
        cancel();
        signal?.removeEventListener("abort", end);
        if (waiters.remove(deviceId, resume)) size -= 1;
        resolve(isTakenOver);
      };
      const end = (): void => resume(false);
      const cancel = clock.after(rest, end);
      signal?.addEventListener("abort", end);
      waiters.add(deviceId, resume);
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
