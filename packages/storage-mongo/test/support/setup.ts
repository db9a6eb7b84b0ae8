import { startMongo } from "test-support/mongo";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  /** Values that the set-up passes to the tests. */
  interface ProvidedContext {
    /** The address of the server, without a database. */
    readonly mongodb: string;
  }
}

/** One server for all tests: the one of `TELEX_TEST_MONGODB`, or one that is installed and started here. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env["TELEX_TEST_MONGODB"];
  if (given !== undefined && given !== "") {
    project.provide("mongodb", given.replace(/\/$/v, ""));
    return () => Promise.resolve();
  }
  try {
    const server = await startMongo();
    project.provide("mongodb", server.url);
    return server.stop;
  } catch (cause) {
    throw new Error("NO TEST OF MONGODB RUNS: give TELEX_TEST_MONGODB=mongodb://..., or make `python3 -m venv` work.", {
      cause,
    });
  }
}
