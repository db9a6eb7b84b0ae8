import { unlessFailed } from "@telex/ground/concurrency";
import { TelexError } from "@telex/ground/errors";
import { createOnce, type LogFields, type Logger } from "@telex/ground/log";
import type { Clock } from "@telex/ground/time";
import type { Observer } from "../observe/observer.ts";

/** Counts the failures of gateways, and logs each cause at most once a minute. */
export interface GatewayFaults {
  /** Notes that a gateway threw an unexpected error, or took too long. */
  failed(gateway: string, step: string, cause?: unknown): void;
  /** Notes that data of a gateway is refused, completely or in part. */
  refused(event: string, fields: LogFields & { readonly gateway: string; readonly code: string }): void;
}

export function createGatewayFaults(log: Logger, clock: Clock, { fault }: Pick<Observer, "fault"> = {}): GatewayFaults {
  const isFirst = createOnce(clock);
  return {
    failed(gateway, step, cause) {
      fault?.({ source: gateway, cause: "failed" });
      const reason = cause instanceof Error ? cause.message : String(cause);
      if (isFirst(`${gateway} ${step} ${reason}`)) log.error("gateway.failed", { gateway, step }, cause);
    },
    refused(event, fields) {
      fault?.({ source: fields.gateway, cause: event.replace("gateway.", "") });
      if (isFirst(`${event} ${fields.gateway} ${fields.code}`)) log.warn(event, fields);
    },
  };
}

/** The result of a gateway's call. An error that is not allowed is noted, and returns `otherwise`. */
export function returnOf<T>(faults: GatewayFaults, gateway: string, step: string, call: () => T, otherwise: T): T {
  try {
    return call();
  } catch (cause) {
    faults.failed(gateway, step, cause);
    return otherwise;
  }
}

export const tooLate = (): TelexError => new TelexError("timeout");

/** The value of a promise, if it resolves within some milliseconds; rejects with `timeout` otherwise. */
export const inTime = <T>(clock: Clock, wait: number, promise: Promise<T>): Promise<T> =>
  unlessFailed(promise, (fail) => clock.after(wait, () => fail(tooLate())));

/** The value of a promise, unless the signal comes first: then rejects with `timeout`. */
export const unlessAborted = <T>(signal: AbortSignal, promise: Promise<T>): Promise<T> =>
  unlessFailed(promise, (fail) => {
    const abort = (): void => fail(tooLate());
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
    return () => signal.removeEventListener("abort", abort);
  });
