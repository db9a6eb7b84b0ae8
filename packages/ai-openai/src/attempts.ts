import { TelexError } from "@telex/core";
import type { Service } from "./request.ts";
import { networkError, ServiceError } from "./service-error.ts";
import type { Watchdog } from "./watchdog.ts";

/** Milliseconds before the first repeat. Each later pause is twice as long. */
const firstPause = 250;

export interface Wait {
  readonly service: Service;
  /** How often a request is repeated. */
  readonly retries: number;
  /** Aborts when the caller no longer wants the response. */
  readonly signal: AbortSignal;
  /** One watchdog covers all attempts. */
  readonly watchdog: Watchdog;
}

/** Pauses. Ends early if the response is late or the caller no longer wants it. */
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

/** Waits before a repeat, or throws an error that a repeat would not fix. */
async function beforeRepeat(wait: Wait, error: ServiceError, failures: number): Promise<void> {
  const unavailable = error.isRefusal
    ? new TelexError("invalid_request", { reason: "model_refused", cause: error })
    : new TelexError("ai_unavailable", { cause: error });
  if (!error.isTransient || failures > wait.retries) throw unavailable;
  await pause(wait, error.retryAfter > 0 ? error.retryAfter : firstPause * 2 ** (failures - 1));
  wait.signal.throwIfAborted();
  if (wait.watchdog.isLate()) throw unavailable;
}

const keyOf = (service: Service): Promise<string> =>
  service.key().catch(() => {
    throw new ServiceError("The key of the AI service could not be read.");
  });

/**
 * Sends a request with the service's key, and repeats it if a repeat may succeed.
 * @throws TelexError `ai_unavailable`, or `invalid_request` if the service refuses what the caller sent; the reason of the signal if it is aborted
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
