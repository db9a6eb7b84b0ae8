import { BaseSequencer, type TestSpecification } from "vitest/node";

/** The test files that take longest, by the ends of their paths. */
export const longest: readonly string[] = [
  "packages/bot-onebot/test/cost.test.ts",
  "packages/cli/test/mongo/backup.test.ts",
  "packages/web/test/admin.test.ts",
  "packages/web/test/chat.test.ts",
  "packages/web/test/rooms.test.ts",
  "packages/web/test/states.test.ts",
  "tests/cluster/bots.test.ts",
  "tests/cluster/cluster.test.ts",
  "tests/cluster/linearizable.test.ts",
  "tests/cluster/rolling.test.ts",
  "tests/crash/crash.test.ts",
  "tests/crash/soak.test.ts",
  "tests/crash/transfer.test.ts",
  "tests/foreign/nonebot.test.ts",
  "tests/foreign/s3.test.ts",
  "tests/foreign/schemathesis.test.ts",
];

const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((path) => moduleId.endsWith(`/${path}`));

/**
 * Starts the longest files of a project first. On a new machine vitest knows no times and starts the largest files, so that one worker runs
 * a long file alone at the end.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- The method of a sequencer, not of an array.
    const projects = Map.groupBy(await super.sort(files), ({ project }) => project.name);
    return [...projects.values()].flatMap((specs) => specs.toSorted((a, b) => Number(isLong(b)) - Number(isLong(a))));
  }
}
