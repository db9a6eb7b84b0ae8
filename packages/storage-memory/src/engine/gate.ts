import { TelexError } from "@telex/core";

/** Makes a verb from a step. Each call is one synchronous step, so nothing happens between its reads and its writes. */
export type Verb = <Args extends readonly unknown[], Result>(
  step: (...args: Args) => Result,
) => (...args: Args) => Promise<Result>;

/** Counts all calls, and rejects them after `close`. */
export interface Gate {
  readonly verb: Verb;
  /** How many steps have begun. */
  readonly steps: () => number;
  /** Makes every later call reject. */
  readonly close: () => void;
}

export function createGate(): Gate {
  let open = true;
  let steps = 0;
  return {
    verb:
      (step) =>
      async (...args) => {
        if (!open) throw new TelexError("storage_unavailable", { cause: new Error("The storage is closed.") });
        steps += 1;
        return step(...args);
      },
    steps: () => steps,
    close: () => void (open = false),
  };
}
