import { TelexError } from "@telex/core";
import type { Service } from "./request.ts";
import { networkError, ServiceError } from "./service-error.ts";
import type { Watchdog } from "./watchdog.ts";

/** Milliseconds before the first repeat; twice as many before each later one. */
const firstPause = 250;

/** A response that is waited for. */
export interface Wait {
  readonly service: Service;
  /** Aborted when nobody wants the response any more. */
  readonly signal: AbortSignal;
  /** Watches all attempts together. */
  readonly watchdog: Watchdog;
}

/** Waits for a time, but not after the response is late or not wanted any more. */
async function pause({ service, signal, watchdog }: Wait, time: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const stop = service.clock.after(time, resolve);
  const onAbort = (): void => resolve();
  signal.addEventListener("abort", onAbort, { once: true });
  watchdog.onLate(resolve);
  watchdog.wait();
  await promise;
  stop();
  signal.removeEventListener("abort", onAbort);
}

/** Waits before a repeat, or throws what cannot be repeated. */
async function beforeRepeat(wait: Wait, error: ServiceError, failures: number): Promise<void> {
  const unavailable = new TelexError("ai_unavailable", { cause: error });
  if (!error.isTransient || failures > wait.service.retries) throw unavailable;
  await pause(wait, error.retryAfter > 0 ? error.retryAfter : firstPause * 2 ** (failures - 1));
  wait.signal.throwIfAborted();
  if (wait.watchdog.isLate()) throw unavailable;
}

const keyOf = (service: Service): Promise<string> =>
  service.key().catch(() => {
    throw new ServiceError("The key of the AI service could not be read.");
  });

/**
 * Asks a service with its key, and again if a repeat may succeed.
 * @throws TelexError `ai_unavailable`; the reason of the signal if it is aborted
 */
export async function withRepeats<T>(wait: Wait, attempt: (key: string) => Promise<T>): Promise<T> {
  for (let failures = 1; ; failures += 1) {
    try {
      const key = await keyOf(wait.service);
      wait.signal.throwIfAborted();
      return await attempt(key);
    } catch (cause) {
      wait.signal.throwIfAborted();
      await beforeRepeat(wait, networkError(cause), failures);
    }
  }
}
