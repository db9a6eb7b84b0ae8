import { setImmediate as nextTick } from "node:timers/promises";
import { TelexError } from "@telex/core";
import type { PortableCall, PortableResult } from "../driver/portable-calls.ts";
import type { Ref } from "../driver/ref.ts";
import type { Tx } from "../driver/transaction.ts";

/** A verb as a function of a transaction. It may run several times. */
export type Verb<Result> = (tx: Tx) => Promise<Result>;

/** A verb that waits for its batch. */
export interface Waiting {
  /** The first one names its queue. */
  readonly roots: readonly string[];
  readonly verb: Verb<unknown>;
  readonly load: readonly Ref[];
  readonly bytes: number;
  /** As in `WriteOptions`: the same for all verbs of a queue. */
  readonly isWrittenOnce: boolean;
  /** Milliseconds of `performance.now()`. */
  readonly deadline: number;
  /** The same verb in a form that another server can run; null if only this one can. */
  readonly portable: { readonly call: PortableCall; readonly answer: (result: PortableResult) => void } | null;
  readonly resolve: () => void;
  readonly reject: (error: TelexError) => void;
}

/** The verbs of a root in the order of their calls. */
export interface Queue {
  readonly waiting: Waiting[];
  readonly push: (one: Waiting) => void;
  /** Resolves after the next push, with the other verbs of that tick, or when the signal aborts. */
  readonly untilPushed: (signal: AbortSignal) => Promise<void>;
}

export function createQueue(): Queue {
  const waiting: Waiting[] = [];
  let wake = (): void => undefined;
  return {
    waiting,
    push(one) {
      waiting.push(one);
      wake();
    },
    async untilPushed(signal) {
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (!signal.aborted) await promise;
      await nextTick();
    },
  };
}

interface Share {
  /** Maximum number of verbs. */
  readonly count: number;
  /** Maximum bytes that the verbs write, unless there is only one verb. */
  readonly bytes: number;
  /** Default: all. */
  readonly isFit?: (one: Waiting) => boolean;
}

/** Takes the first verbs out of a queue, up to one that does not fit. */
export function takeFirst(waiting: Waiting[], { count, bytes: most, isFit = () => true }: Share): Waiting[] {
  let bytes = 0;
  let taken = 0;
  for (const one of waiting) {
    bytes += one.bytes;
    if (!isFit(one) || (taken > 0 && (taken === count || bytes > most))) break;
    taken += 1;
  }
  return waiting.splice(0, taken);
}

export const lateError = (): TelexError =>
  new TelexError("storage_unavailable", { cause: new Error("The database did not answer in time.") });

/** Rejects calls that have waited too long behind other batches, so that no caller waits longer while the database is unavailable. */
export function dropLate(batch: readonly Waiting[]): readonly Waiting[] {
  const now = performance.now();
  for (const { deadline, reject } of batch) if (deadline < now) reject(lateError());
  return batch.filter(({ deadline }) => deadline >= now);
}
