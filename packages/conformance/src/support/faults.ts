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
  /** `before`: the store never hears of the call. `after`: the call is done, and its caller does not learn it. */
  readonly when: "before" | "after";
}

/** A storage that fails once. */
export interface FaultyStorage extends Storage {
  /** Calls so far, as `teleprinter.append`, the failed one included. */
  readonly calls: readonly string[];
}

/**
 * The same storage, whose k-th call fails: for showing that an operation is whole or absent then, and that a repeat
 * succeeds. An operation is through with all its calls once `calls` is shorter than `failAt`. Looks at the change feed
 * do not count, since they come by themselves.
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
