import { TelexError } from "@telex/core";
import type { PortableCall, PortableResult } from "../driver/portable-calls.ts";
import type { Ref } from "../driver/ref.ts";
import type { Verb, Waiting } from "./waiting.ts";

export interface WriteOptions {
  /** Documents that the verb looks up: those of all verbs of a batch are read together. */
  readonly load?: readonly Ref[];
  /** About how many bytes the verb writes. Default 0. */
  readonly bytes?: number;
  /** True if only one transaction writes the first root and later ones only read it: servers take no turns. Default false. */
  readonly isWrittenOnce?: boolean;
}

interface PortableOptions<Result> extends WriteOptions {
  /** The verb in a form that another server can run. */
  readonly portable?: {
    readonly call: PortableCall;
    readonly resultOf: (result: PortableResult) => Result | undefined;
  };
}

export const closedError = (): TelexError =>
  new TelexError("storage_unavailable", { cause: new Error("The storage is closed.") });

/** Puts verbs into the queue of their first root. Each gets `timeout` milliseconds. */
export const createWrite =
  (enqueue: (waiting: Waiting) => void, timeout: number) =>
  <Result>(
    roots: string | readonly string[],
    verb: Verb<Result>,
    { load = [], bytes = 0, isWrittenOnce = false, portable }: PortableOptions<Result> = {},
  ): Promise<Result> => {
    const deadline = performance.now() + timeout;
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    let result: { readonly value: Result } | null = null;
    const keep: Verb<unknown> = async (tx) => {
      result = { value: await verb(tx) };
    };
    const answer = (given: PortableResult): void => {
      const value = portable?.resultOf(given);
      if (value === undefined) reject(new TelexError("internal"));
      else resolve(value);
    };
    enqueue({
      roots: typeof roots === "string" ? [roots] : [...roots],
      verb: keep,
      load,
      bytes,
      isWrittenOnce,
      deadline,
      portable: portable === undefined ? null : { call: portable.call, answer },
      resolve: () => (result === null ? reject(closedError()) : resolve(result.value)),
      reject,
    });
    return promise;
  };
