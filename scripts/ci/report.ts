import { existsSync, readFileSync } from "node:fs";
import { z } from "zod";

const schema = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  testResults: z.array(
    z.object({
      name: z.string().default(""),
      status: z.string(),
      message: z.string().default(""),
      assertionResults: z.array(
        z.object({
          status: z.string(),
          fullName: z.string().default(""),
          failureMessages: z.array(z.string()).default([]),
        }),
      ),
    }),
  ),
});

type Report = z.infer<typeof schema>;

const readReport = (path: string): Report => schema.parse(JSON.parse(readFileSync(path, "utf8")));

/** The numbers of passed and failed tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Reads the JSON report of a test run. A file that failed without a failed test counts as one failure, and so does a missing report. */
export function readCounts(path: string): Counts {
  try {
    const { numPassedTests, numFailedTests, testResults } = readReport(path);
    const unread = testResults.filter(
      ({ status, assertionResults }) => status === "failed" && assertionResults.every((one) => one.status !== "failed"),
    );
    return { passed: numPassedTests, failed: numFailedTests + unread.length };
  } catch {
    return { passed: 0, failed: 1 };
  }
}

/** Printed characters of one failure. The whole message is in the log of its step. */
const longestMessage = 1_500;

/** The failed tests and files of a JSON report, each with its path, its name and its message; none if there is no report. */
export function readFailures(path: string): string[] {
  if (!existsSync(path)) return [];
  return readReport(path).testResults.flatMap(({ name, status, message, assertionResults }) => {
    const tests = assertionResults.filter((one) => one.status === "failed");
    if (tests.length === 0) return status === "failed" ? [`${name}\n${message.slice(0, longestMessage)}`] : [];
    return tests.map((one) => `${name} > ${one.fullName}\n${one.failureMessages.join("\n").slice(0, longestMessage)}`);
  });
}

/**
 * The absolute paths of the files with a failed test, or that failed as a whole; none if there is no report.
 * A test that took too long does not count.
 */
export function readFailedFiles(path: string): string[] {
  if (!existsSync(path)) return [];
  const failed = readReport(path).testResults.filter(({ status }) => status === "failed");
  const isWrong = ({ assertionResults }: (typeof failed)[number]): boolean => {
    const messages = assertionResults.flatMap(({ failureMessages }) => failureMessages);
    return messages.length === 0 || messages.some((message) => !message.includes("timed out in"));
  };
  return failed.filter(isWrong).map(({ name }) => name);
}
