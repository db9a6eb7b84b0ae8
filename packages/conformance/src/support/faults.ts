import type { Storage } from "@telex/core/storage";
import { intercept, type StoreCall } from "./intercept.ts";

/** The error of a call that {@link withFaults} lets fail. */
export class InjectedFault extends Error {
  override readonly name = "InjectedFault";
}

/** Which call fails. */
export interface FaultPlan {
  /** 1 for the first call of a verb. */
  readonly failAt: number;
  /** `before`: the call does not reach the store. `after`: the call is done, but its caller gets an error. */
  readonly when: "before" | "after";
}

/** A storage that fails once. */
export interface FaultyStorage extends Storage {
  /** Calls so far, as `teleprinter.append`, the failed one included. */
  readonly calls: readonly string[];
}

/**
 * The same storage, whose k-th call fails: it shows that an operation is then complete or absent, and that a repeat
 * succeeds. All calls of an operation have failed once when `calls` is shorter than `failAt`. Reads of the change feed
 * do not count, because they happen by themselves.
 */
export function withFaults(storage: Storage, { failAt, when }: FaultPlan): FaultyStorage {
  const calls: string[] = [];
  const around = async ({ part, verb, run }: StoreCall): Promise<unknown> => {
    if (part === "changes") return run();
    const fails = calls.push(`${part}.${verb}`) === failAt;
    if (!fails) return run();
    if (when === "after") await run();
    throw new InjectedFault(`${part}.${verb} fails, as planned, ${when} it is done.`);
  };
  return { ...intercept(storage, around), calls };
}
