import type { Telex, TokenHolder } from "@telex/core";
import type { NodeMount } from "@telex/http";
import { mountsOf } from "./mount.ts";
import { readyTools } from "./schema.ts";
import { type Tool, tools } from "./tools.ts";

export { createMcpServer } from "./server.ts";
export type { McpServerParts } from "./server.ts";
export type { Reach } from "./run-tool.ts";
export { readyTools } from "./schema.ts";
export type { ReadyTool } from "./schema.ts";
export { tools } from "./tools.ts";
export type { Tool } from "./tools.ts";

/** Options of {@link createMcp}. */
export interface McpOptions {
  /**
   * Answers a request as the server does over the network: `fetch` of `createHttp`, which may be made later. Tools call operations
   * through it, so that they have its rates, limits and logs.
   */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The address of the server in links, such as `https://telex.example`. Called for each request. */
  readonly baseUrl: () => string;
  /** True if the server issues tokens with OAuth 2 itself, as `@telex/auth-server` does. Default false. */
  readonly hasProvider?: boolean;
  /**
   * The name of the application that has a token, for programs that do not introduce themselves with each request; null if it is
   * unknown. Default: unknown.
   */
  readonly applicationOf?: (holder: TokenHolder) => Promise<string | null>;
  /** Tools in addition to those of this package, such as operations of plug-ins. Default: none. */
  readonly tools?: readonly Tool[];
  /** The version that clients see. Default: `1.0.0`. */
  readonly version?: string;
}

/** Telex as a server of the Model Context Protocol. */
export interface Mcp {
  /** Pass them to `createHttp` as `mounts`. */
  readonly mounts: readonly NodeMount[];
}

/**
 * Serves the devices, rooms, pictures and files of an instance as tools at `/mcp`, over streamable HTTP without sessions, for clients of
 * 2025-11-25 and 2026-07-28.
 * @example
 * const mcp = createMcp(telex, { fetch: (request) => http.fetch(request), baseUrl: () => "https://telex.example" });
 * const http = createHttp(telex, { mounts: mcp.mounts });
 * @throws TypeError if two tools have the same name
 */
export function createMcp(telex: Telex, options: McpOptions): Mcp {
  const { fetch, baseUrl, hasProvider = false, tools: others = [], version = "1.0.0" } = options;
  const { applicationOf = () => Promise.resolve(null) } = options;
  const all = [...tools, ...others];
  if (new Set(all.map(({ name }) => name)).size < all.length) throw new TypeError("Two tools have the same name.");
  return { mounts: mountsOf({ telex, fetch, baseUrl, hasProvider, applicationOf, tools: readyTools(all), version }) };
}
