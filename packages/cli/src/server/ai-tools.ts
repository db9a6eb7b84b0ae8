import type { TelexOptions } from "@telex/core";
import type { AiTools } from "@telex/mcp-client";
import { messageOf, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";

type Plugins = NonNullable<TelexOptions["plugins"]>;

const example = '{ servers: { files: { command: "files-mcp", harmless: ["read_file"] } } }';

/**
 * Makes the servers of tools that the configuration file names under `aiTools`. Null without that key.
 * @throws UsageError for a mistake in it
 */
export async function aiToolsOf({ aiTools }: Config): Promise<AiTools | null> {
  if (aiTools === undefined) return null;
  // Loads the client only for servers that use it.
  const { createAiTools, readAiTools } = await import("@telex/mcp-client");
  try {
    return createAiTools(readAiTools(aiTools));
  } catch (cause) {
    throw new UsageError(`aiTools must be such as ${example}. ${messageOf(cause)}`, { cause });
  }
}

/** The plug-ins with models that may call the tools, and the plug-in that keeps their servers. */
export async function withTools(plugins: Plugins, config: Config): Promise<Plugins> {
  const tools = await aiToolsOf(config);
  if (tools === null) return plugins;
  const wrapped = plugins.map((plugin) => ({
    ...plugin,
    ...(plugin.models !== undefined && { models: tools.wrap(plugin.models) }),
  }));
  return [...wrapped, tools.plugin];
}
