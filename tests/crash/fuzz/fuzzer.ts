import { createRandom } from "@telex/conformance/testing";
import type { Coverage } from "./coverage.ts";
import { mutate } from "./mutate.ts";

/** A parser of untrusted input. */
export interface FuzzTarget {
  readonly name: string;
  /** Initial inputs, valid and invalid ones. */
  readonly seeds: readonly (string | Buffer)[];
  /** Parses an input. Throws if the outcome is wrong; rejecting an invalid input is right. */
  readonly run: (input: Buffer) => Promise<void>;
}

/** An input that breaks a target. */
export interface FuzzFinding {
  readonly input: Buffer;
  readonly error: unknown;
}

export interface FuzzBounds {
  readonly seed: number;
  /** Minimum number of inputs to try. */
  readonly runs: number;
}

/** The outcome of fuzzing a target. */
export interface FuzzReport {
  readonly runs: number;
  /** Inputs from which others are derived, the seeds included. */
  readonly kept: number;
  readonly finding: FuzzFinding | null;
}

/** Milliseconds after which a run counts as hung. */
const maxRunTime = 20_000;

async function attempt(target: FuzzTarget, input: Buffer): Promise<FuzzFinding | null> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("does not end")), maxRunTime);
  return await Promise.race([target.run(input), late])
    .then(
      () => null,
      (error: unknown) => ({ input, error }),
    )
    .finally(() => clearTimeout(timer));
}

/** Runs between two coverage queries: a query of V8 takes longer than many runs. */
const runsPerLook = 32;

/**
 * Runs a target with inputs derived from those that reached new blocks, and from those that ran just before them, because a query
 * covers several runs. Ends with the first finding.
 */
export async function fuzz(target: FuzzTarget, coverage: Coverage, bounds: FuzzBounds): Promise<FuzzReport> {
  const numbers = createRandom(bounds.seed);
  const random = (): number => numbers.next();
  const corpus: Buffer[] = target.seeds.map((seed) => Buffer.from(seed));
  let runs = 0;
  while (runs < bounds.runs) {
    const inputs = Array.from({ length: runsPerLook }, () => mutate(corpus, random));
    for (const input of inputs) {
      runs += 1;
      const finding = await attempt(target, input);
      if (finding !== null) return { runs, kept: corpus.length, finding };
    }
    if ((await coverage.newBlocks()) > 0) corpus.push(...inputs);
  }
  return { runs, kept: corpus.length, finding: null };
}
