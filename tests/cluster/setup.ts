import { rm } from "node:fs/promises";
import { installMongo } from "test-support/mongo";
import { installNats } from "test-support/nats";
import type { TestProject } from "vitest/node";
import { installJudge } from "./judge.ts";
import { bundleNewer, bundleOlder, openFolder } from "./versions.ts";

declare module "vitest" {
  /** Values that the set-up provides for the tests. */
  interface ProvidedContext {
    /** The bundle of the server from the working tree. */
    readonly newer: string;
    /** The bundle of an older version; null if there is none. */
    readonly older: string | null;
  }
}

/** Builds the programs of the cluster before the tests run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await openFolder();
  const programs = [installNats(), installMongo(), installJudge()];
  const [newer, older] = await Promise.all([bundleNewer(folder), bundleOlder(folder), ...programs]);
  project.provide("newer", newer);
  project.provide("older", older);
  return () => rm(folder, { recursive: true });
}
