import { readFileSync } from "node:fs";
import { z } from "zod";

const schema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) })),
});

/** The numbers of passed and failed tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Reads the JSON report of a test run. A file that failed without a failed test counts as one failure, and so does a missing report. */
export function readCounts(path: string): Counts {
  try {
    const { numPassedTests, numFailedTests, testResults } = schema.parse(JSON.parse(readFileSync(path, "utf8")));
    const unread = testResults.filter(
      ({ status, assertionResults }) => status === "failed" && assertionResults.every((one) => one.status !== "failed"),
    );
    return { passed: numPassedTests, failed: numFailedTests + unread.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
