// `npm test -- mutants`: changes the sources at random places, and reports which changes a test notices.
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { createRandom, type Random } from "@telex/conformance/testing";
import type { Source } from "./boundaries/source.ts";
import { createJudge, type Judge } from "./mutants/judge.ts";
import { applyTo, kinds, type Mutant, mutantsOf } from "./mutants/places.ts";
import type { Reach } from "./mutants/reach.ts";
import { describeResult, missedOf, outcomes, readResults, type Result } from "./mutants/report.ts";
import { checkOut } from "./mutants/tree.ts";

const usage = `npm test -- mutants [options]

  --count <n>       places to change. Default: 100
  --seed <n>        which places. Default: a random number, which is printed
  --commit <name>   the commit to try. Default: HEAD
  --limit <n>       seconds for the tests of one place. Default: 300
  --files <n>       test files for one place, the nearest ones. Default: all that import it, and those of the command
  --report <file>   writes the results, for --compare
  --compare <file>  tries the places that died in that run, and fails if one survives now`;

/** Draws mutants: each time a kind, then a place of this kind, so that rare kinds are tried as well. */
function draw(all: readonly Mutant[], count: number, random: Random): Mutant[] {
  const pools = kinds.map((kind) => all.filter((one) => one.kind === kind));
  const pick = (): Mutant[] => {
    const pool = pools[Math.floor(random.next() * pools.length)] ?? [];
    return pool.splice(Math.floor(random.next() * pool.length), 1);
  };
  const drawn: Mutant[] = [];
  while (drawn.length < count && pools.some((pool) => pool.length > 0)) drawn.push(...pick());
  return drawn;
}

/** The mutants of all sources that a test of their package imports, except those whose place cannot be found again. */
function mutantsIn(sources: readonly Source[], reach: Reach): Mutant[] {
  const isTested = ({ path, isTest, package: name }: Source): boolean =>
    !isTest &&
    path.startsWith(`packages/${name}/src/`) &&
    reach.testsOf(path).some((test) => test.startsWith(`packages/${name}/`) && test.endsWith(".test.ts"));
  return sources
    .filter(isTested)
    .flatMap((source) => mutantsOf(source).filter((one) => applyTo(source.text, one) !== null));
}

/** The places to try: those that died in an earlier run, or a new choice. */
function choose({ sources, reach }: Judge, options: Options): Result[] {
  if (options.compare !== undefined) return readResults(options.compare).filter(({ outcome }) => outcome === "killed");
  const drawn = draw(mutantsIn(sources, reach), Number(options.count), createRandom(Number(options.seed)));
  return drawn.map((mutant) => ({ ...mutant, outcome: "undecided", killer: null }));
}

async function main(options: Options): Promise<number> {
  console.log(`seed ${options.seed}, commit ${options.commit}`);
  const tree = checkOut(options.commit);
  const stop = (): void => {
    tree.remove();
    process.exit(1);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  try {
    const judge = await createJudge(tree, { seconds: Number(options.limit), files: Number(options.files) });
    const results: Result[] = [];
    for (const { killer, ...mutant } of choose(judge, options)) {
      const result = await judge.try(mutant, killer);
      results.push(result);
      console.log(describeResult(result));
      if (options.report !== undefined) writeFileSync(options.report, JSON.stringify(results, null, 2));
    }
    for (const outcome of outcomes)
      console.log(`${results.filter((result) => result.outcome === outcome).length} ${outcome}`);
    return options.compare !== undefined && missedOf(results).length > 0 ? 1 : 0;
  } finally {
    tree.remove();
  }
}

const { values } = parseArgs({
  options: {
    help: { type: "boolean", default: false },
    count: { type: "string", default: "100" },
    seed: { type: "string", default: String(randomInt(1_000_000)) },
    commit: { type: "string", default: "HEAD" },
    limit: { type: "string", default: "300" },
    files: { type: "string", default: "Infinity" },
    report: { type: "string" },
    compare: { type: "string" },
  },
});
type Options = typeof values;

if (values.help) console.log(usage);
else process.exitCode = await main(values);
