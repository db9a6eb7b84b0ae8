import type { TestProject } from "vitest/node";
import { installMongo, startMongo } from "./mongo.ts";
// Declares the types of the values that the set-up provides.
import "./shared-mongo.ts";

const named = process.env["TELEX_TEST_MONGODB"] ?? "";

/** The number of files that run at the same time. */
const workersOf = ({ vitest }: TestProject): number => Math.max(1, vitest.config.maxWorkers);

/**
 * Gives each worker its own server, because a failpoint and a transaction that a killed command left open affect the whole server.
 * The workers share the server that `TELEX_TEST_MONGODB` names.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (named !== "") {
    project.provide("mongodb", [named.replace(/\/$/v, "")]);
    return () => Promise.resolve();
  }
  try {
    await installMongo();
    const servers = await Promise.all(Array.from({ length: workersOf(project) }, () => startMongo()));
    project.provide(
      "mongodb",
      servers.map(({ url }) => url),
    );
    return async () => void (await Promise.all(servers.map(({ stop }) => stop())));
  } catch (cause) {
    throw new Error("NO TEST OF MONGODB RUNS: give TELEX_TEST_MONGODB=mongodb://..., or make `python3 -m venv` work.", {
      cause,
    });
  }
}
