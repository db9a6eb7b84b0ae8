import { readSources, type Source } from "../boundaries/source.ts";
import { applyTo, type Mutant } from "./places.ts";
import { createReach, type Reach } from "./reach.ts";
import type { Result } from "./report.ts";
import type { Tree } from "./tree.ts";

/** Test files of each run, the nearest first: they find most mutants. */
const batches = [6, 30, Number.POSITIVE_INFINITY];

/** The built command, and the test helper that runs it: they do not import its sources. */
const command = "packages/cli/src/main.ts";
const commandHelper = "tests/support/command.ts";

/** Tries mutants in a tree. */
export interface Judge {
  readonly sources: readonly Source[];
  readonly reach: Reach;
  /**
   * Tries one mutant. Afterwards, the files of the tree are as before.
   * @param killer the test file that is expected to fail, which runs first
   */
  try(mutant: Mutant, killer: string | null): Promise<Result>;
}

/** How long a mutant is tried. */
interface Limits {
  /** Seconds for its tests. */
  readonly seconds: number;
  /** Test files, the nearest ones. */
  readonly files: number;
}

/** Reads a tree, to try mutants in it. */
export async function createJudge(tree: Tree, limits: Limits): Promise<Judge> {
  const tests = new Set(await tree.listTests());
  const sources = readSources(tree.root);
  const reach = createReach(tree.root, sources, new Set([...tests, command]));

  const ofCommand = new Set(reach.testsOf(commandHelper));

  const filesFor = ({ path }: Mutant, killer: string | null): string[][] => {
    const near = reach.testsOf(path);
    const imported = near.filter((one) => one !== command);
    const built = near.includes(command) ? [...ofCommand].filter((one) => !near.includes(one)) : [];
    return [
      killer !== null && tests.has(killer) ? [killer] : [],
      ...batchesOf([...imported, ...built].slice(0, limits.files)),
    ];
  };

  const judge = async (mutant: Mutant, killer: string | null): Promise<Pick<Result, "outcome" | "killer">> => {
    const end = Date.now() + limits.seconds * 1000;
    let isBundled = false;
    for (const files of filesFor(mutant, killer)) {
      if (!isBundled && files.some((one) => ofCommand.has(one))) isBundled = await tree.bundle();
      const run = files.length === 0 ? "passed" : await tree.run(files, Math.max(1, (end - Date.now()) / 1000));
      if (run === "late") return { outcome: "undecided", killer: null };
      if (run !== "passed") return { outcome: "killed", killer: run.failed };
    }
    return { outcome: "survived", killer: null };
  };

  return {
    sources,
    reach,
    try: async (mutant, killer) => {
      const at = findMutated(sources, mutant);
      if (at === null) return { ...mutant, outcome: "gone", killer: null };
      const here = { ...mutant, path: at.path };
      return { ...here, ...(await tree.withFile(at.path, at.text, () => judge(here, killer))) };
    },
  };
}

/** Test files in the order of the runs. */
function batchesOf(files: readonly string[]): string[][] {
  let taken = 0;
  return batches.map((size) => files.slice(taken, (taken += size)));
}

/** The file with the place of a mutant, which may have moved, and its text with the mutant. */
function findMutated(
  sources: readonly Source[],
  mutant: Mutant,
): { readonly path: string; readonly text: string } | null {
  const isSame = ({ path }: Source): boolean => path === mutant.path;
  for (const { path, text, isTest } of [...sources.filter(isSame), ...sources.filter((one) => !isSame(one))]) {
    const mutated = isTest ? null : applyTo(text, mutant);
    if (mutated !== null) return { path, text: mutated };
  }
  return null;
}
