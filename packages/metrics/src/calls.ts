import { type ErrorCode, type Observer, TelexError } from "@telex/core";
import { Counter, Histogram, type Registry } from "prom-client";

/** Bounds in seconds: heartbeats take less than a millisecond, replies of models take minutes. */
const durations = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 60];

type Outcome = "ok" | ErrorCode;

/** The counters of one operation. Looking up labels costs more than counting, so each operation looks them up once. */
class Operation {
  readonly #duration: Histogram.Internal<"operation">;
  readonly #outcomes = new Map<Outcome, Counter.Internal>();
  readonly #countOf: (outcome: Outcome) => Counter.Internal;

  constructor(duration: Histogram.Internal<"operation">, countOf: (outcome: Outcome) => Counter.Internal) {
    this.#duration = duration;
    this.#countOf = countOf;
  }

  ended(outcome: Outcome, milliseconds: number): void {
    let count = this.#outcomes.get(outcome);
    if (count === undefined) {
      count = this.#countOf(outcome);
      this.#outcomes.set(outcome, count);
    }
    count.inc();
    this.#duration.observe(milliseconds / 1000);
  }
}

/** Counts and times calls by operation and outcome. */
export function observeCalls(registers: Registry[]): Required<Pick<Observer, "call">> {
  const calls = new Counter({
    name: "telex_calls_total",
    help: "Calls of operations by outcome: ok, or the code of the error",
    labelNames: ["operation", "outcome"],
    registers,
  });
  const duration = new Histogram({
    name: "telex_call_duration_seconds",
    help: "Time until an operation returned",
    labelNames: ["operation"],
    buckets: durations,
    registers,
  });
  const operations = new Map<string, Operation>();
  const operationOf = (name: string): Operation => {
    const existing = operations.get(name);
    if (existing !== undefined) return existing;
    const operation = new Operation(duration.labels(name), (outcome) => calls.labels(name, outcome));
    operations.set(name, operation);
    return operation;
  };
  return {
    async call({ operation }, run) {
      const begun = performance.now();
      let outcome: Outcome = "ok";
      try {
        return await run();
      } catch (cause) {
        outcome = TelexError.from(cause).code;
        throw cause;
      } finally {
        operationOf(operation).ended(outcome, performance.now() - begun);
      }
    },
  };
}
