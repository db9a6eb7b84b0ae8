import { installNats } from "test-support/nats";
import type { TestProject } from "vitest/node";
import { bundleNewer, bundleOlder } from "./versions.ts";

declare module "vitest" {
  /** What the tests are told by the set-up. */
  interface ProvidedContext {
    /** The bundle of the server from the working tree. */
    readonly newer: string;
    /** The bundle of an older version; null if there is none. */
    readonly older: string | null;
  }
}

/** Makes what the cluster consists of, before the tests run. */
export async function setup(project: TestProject): Promise<void> {
  const [newer, older] = await Promise.all([bundleNewer(), bundleOlder(), installNats()]);
  project.provide("newer", newer);
  project.provide("older", older);
}
