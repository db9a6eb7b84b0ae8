import { inject } from "vitest";

declare module "vitest" {
  /** Values that the set-up passes to the tests. */
  interface ProvidedContext {
    /** The addresses of the servers, without a database: one for each worker, or a single one for all. */
    readonly mongodb: readonly string[];
  }
}

/** The address of the server that the tests of this worker use, without a database. */
export function sharedMongo(): string {
  const servers = inject("mongodb");
  const url = servers[(Number(process.env["VITEST_POOL_ID"]) - 1) % servers.length];
  if (url === undefined) throw new TypeError("the set-up has started no server");
  return url;
}
