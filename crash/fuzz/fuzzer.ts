import { createRandom } from "test-support/random";
import type { Coverage } from "./coverage.ts";
import { mutate } from "./mutate.ts";

/** A parser that reads what others send. */
export interface FuzzTarget {
  readonly name: string;
  /** Inputs to begin with, right ones and wrong ones. */
  readonly seeds: readonly (string | Buffer)[];
  /** Reads an input. Throws if what comes of it is wrong; a refusal is right. */
  readonly run: (input: Buffer) => Promise<void>;
}

/** An input that a target does not stand. */
export interface FuzzFinding {
  readonly input: Buffer;
  readonly error: unknown;
}

/** How a target is fuzzed. */
export interface FuzzBounds {
  readonly seed: number;
  /** Inputs that are tried, at least. */
  readonly runs: number;
}

/** What came of fuzzing a target. */
export interface FuzzReport {
  readonly runs: number;
  /** Inputs out of which others grow, the seeds included. */
  readonly kept: number;
  readonly finding: FuzzFinding | null;
}

/** Milliseconds after which a run counts as one that never ends. */
const longestRun = 20_000;

async function attempt(target: FuzzTarget, input: Buffer): Promise<FuzzFinding | null> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error("does not end")), longestRun);
  return await Promise.race([target.run(input), late])
    .then(
      () => null,
      (error: unknown) => ({ input, error }),
    )
    .finally(() => clearTimeout(timer));
}

/** Asking V8 takes longer than many runs: it is asked after a number of them. */
const runsPerLook = 32;

/**
 * Runs a target with inputs that grow out of those that reached something new, and out of those that ran just before them:
 * which of these it was is not asked. Ends with the first finding.
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
