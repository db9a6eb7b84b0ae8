import { type Auth, roomMessagesContract, roomMessagesRoutes } from "@telex/auth-server";
import type { Telex } from "@telex/core";
import type { NodeMount } from "@telex/http";
import type { Tool } from "@telex/mcp";
import { readManifest } from "../manifest.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

/** Tools of rooms that people run. */
export const roomTools: readonly Tool[] = [
  {
    name: "react_in_room",
    title: "React to a message",
    operation: roomMessagesContract.react,
    route: { ...roomMessagesRoutes.react, input: "json" },
    isReadOnly: false,
  },
];

interface McpDeps {
  readonly fetch: (request: Request) => Promise<Response>;
  readonly baseUrl: () => string;
  readonly applications: Auth["services"]["applications"];
}

const paths = ["/mcp", "/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"];

/** The paths of MCP; none if it is off. The first request loads the library. */
export function mcpMountsOf(
  { get }: Config,
  telex: Telex,
  { fetch, baseUrl, applications }: McpDeps,
): readonly NodeMount[] {
  if (!get(settings.mcp)) return [];
  const load = async () => {
    const { createMcp } = await import("@telex/mcp");
    const { mounts } = createMcp(telex, {
      fetch,
      baseUrl,
      hasProvider: true,
      async applicationOf({ userId, sessionId }) {
        return sessionId === undefined ? null : await applications.nameOf(userId, sessionId);
      },
      tools: roomTools,
      version: readManifest().version,
    });
    return new Map(mounts.map(({ path, handle }) => [path, handle]));
  };
  let loading: ReturnType<typeof load> | null = null;
  const handlers = () => {
    const begun = (loading ??= load());
    begun.catch(() => (loading = null));
    return begun;
  };
  return paths.map((path) => ({
    path,
    handle: async (req, res, address) => (await handlers()).get(path)?.(req, res, address),
  }));
}
