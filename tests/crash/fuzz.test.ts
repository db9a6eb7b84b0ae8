import { afterAll, beforeAll, expect, it } from "vitest";
import { type Coverage, startCoverage } from "./fuzz/coverage.ts";
import { fuzz } from "./fuzz/fuzzer.ts";
import type { FuzzTargets } from "./fuzz/targets.ts";

const { TELEX_CRASH_SEED, TELEX_CRASH_FUZZ } = process.env;
const seed = Number(TELEX_CRASH_SEED ?? Math.floor(Math.random() * 2 ** 32));
/** A number of inputs instead of a time, so that a slow machine tries the same inputs. `TELEX_CRASH_FUZZ=20000` takes some minutes. */
const bounds = { seed, runs: Number(TELEX_CRASH_FUZZ ?? 1500) };

let coverage: Coverage;
let targets: FuzzTargets;

beforeAll(async () => {
  // V8 counts blocks only of code that it compiles from here on, so the sources are imported afterwards.
  coverage = await startCoverage();
  const { createTargets } = await import("./fuzz/targets.ts");
  targets = await createTargets();
});

afterAll(async () => {
  await targets.close();
  await coverage.stop();
});

it.each(["json", "multipart", "ranges", "segments", "queries", "frames", "mqtt"])(
  "%s: no input ends in a fault of Telex",
  async (name) => {
    const target = targets.targets.find((one) => one.name === name);
    if (target === undefined) throw new Error(`${name} is not a target`);
    const { runs, kept, finding } = await fuzz(target, coverage, bounds);
    console.log(`${name}: ${runs} inputs, ${kept} of them kept, TELEX_CRASH_SEED=${seed}`);
    // Add the input to fuzz/found.ts, which keeps it as a test.
    expect(finding && { input: finding.input.toString("latin1"), error: String(finding.error) }).toBeNull();
    expect(coverage.blocks()).toBeGreaterThan(100);
  },
);
