import { ProviderError } from "./failure.ts";
import type { Complete } from "./options.ts";

/** The time that a provider has left. Only time in which Telex waits for the provider counts. */
export interface Patience {
  /** Aborted when the caller has left, when the provider is late, and at the end. */
  readonly signal: AbortSignal;
  /**
   * Waits for the provider.
   * @throws ProviderError if it is late; the reason of the signal if the caller has left
   */
  wait<T>(promise: PromiseLike<T>): Promise<T>;
  /** Pauses before a repeat, in milliseconds. @throws ProviderError if the provider is late */
  pause(time: number): Promise<void>;
  /** Notes that the provider sent something. Its time starts again. */
  heard(): void;
  end(): void;
}

const late = (): ProviderError => new ProviderError("The provider does not continue.");

export function createPatience({ timeouts, clock }: Complete, left: AbortSignal): Patience {
  const ending = new AbortController();
  const signal = AbortSignal.any([left, ending.signal]);
  let rest = timeouts.firstDelta;
  const wait = async <T>(promise: PromiseLike<T>): Promise<T> => {
    signal.throwIfAborted();
    const { promise: over, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(signal.reason);
    const since = clock.now();
    const stop = clock.after(rest, () => {
      reject(late());
      ending.abort();
    });
    signal.addEventListener("abort", onAbort, { once: true });
    try {
      return await Promise.race([promise, over]);
    } finally {
      rest -= clock.now() - since;
      stop();
      signal.removeEventListener("abort", onAbort);
    }
  };
  return {
    signal,
    wait,
    async pause(time) {
      const { promise, resolve } = Promise.withResolvers<void>();
      const stop = clock.after(time, resolve);
      await wait(promise).finally(stop);
    },
    heard: () => void (rest = timeouts.betweenDeltas),
    end: () => ending.abort(),
  };
}
