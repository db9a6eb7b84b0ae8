import type { z } from "zod";
import { type ClientOptions, createRouteMethod } from "@telex/http/client";
import type { RecentContract } from "./contract.ts";
import { recentPaths } from "./paths.ts";

type Input<K extends keyof RecentContract> = z.input<RecentContract[K]["input"]>;
type Output<K extends keyof RecentContract> = z.output<RecentContract[K]["output"]>;

/** A step of the metrics of a server. */
export type TrendStep = Output<"trends">["list"][number];

/** A security event. */
export type AuditEvent = Output<"audit">["list"][number];

/** The recent activity of a server over HTTP, for a token with the scope `admin` or the session of an admin. */
export type RecentClient = {
  /** @throws TelexClientError, and what `fetch` throws */
  readonly [K in keyof RecentContract]: (
    input: Input<K>,
    options?: { readonly signal?: AbortSignal },
  ) => Promise<Output<K>>;
};

function assertComplete(methods: object): asserts methods is RecentClient {
  for (const name of Object.keys(recentPaths))
    if (typeof Reflect.get(methods, name) !== "function") throw new TypeError(`The operation ${name} has no method.`);
}

/**
 * A client for the recent activity of a server.
 * @example
 * const { list } = await createRecentClient({ url: location.origin }).trends({ hours: 3 });
 */
export function createRecentClient(options: ClientOptions): RecentClient {
  const methods: object = Object.fromEntries(
    Object.entries(recentPaths).map(([name, path]) => [
      name,
      createRouteMethod({ method: "GET", path, input: "query" }, options),
    ]),
  );
  assertComplete(methods);
  return methods;
}
