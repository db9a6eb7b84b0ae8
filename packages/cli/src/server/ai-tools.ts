import type { TelexOptions } from "@telex/core";
import type { AiTools, AiToolsInput } from "@telex/mcp-client";
import { messageOf, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { modelNamesOf, toolModelsOf } from "./ai.ts";

type Plugins = NonNullable<TelexOptions["plugins"]>;

const example = '{ servers: { files: { command: "files-mcp", harmless: ["read_file"] } } }';

/** Rejects names of models that would never call a tool. */
function assertModels({ servers }: AiToolsInput, config: Config): void {
  const [names, able] = [modelNamesOf(config), toolModelsOf(config)];
  if (able.length === 0)
    throw new UsageError("aiTools needs a model that can call tools: add +tools to one in aiModels.");
  for (const [server, { models = [], rooms = [] }] of Object.entries(servers)) {
    for (const [key, listed] of Object.entries({ models, rooms })) {
      const wrong = listed.find((name) => !able.includes(name));
      if (wrong === undefined) continue;
      const reason = names.includes(wrong) ? "is a model that cannot call tools" : "is not the name of a model";
      throw new UsageError(
        `"${wrong}" in servers.${server}.${key} of aiTools ${reason}. Name models with +tools, such as ${able.join(", ")}.`,
      );
    }
  }
}

/**
 * Creates the tool servers that the configuration file names under `aiTools`. Null without that key.
 * @throws UsageError for a mistake in it
 */
export async function aiToolsOf(config: Config): Promise<AiTools | null> {
  const { aiTools } = config;
  if (aiTools === undefined) return null;
  // Loads the client only for servers that use it.
  const { createAiTools, readAiTools } = await import("@telex/mcp-client");
  let input: AiToolsInput;
  try {
    input = readAiTools(aiTools);
  } catch (cause) {
    throw new UsageError(`aiTools must be such as ${example}. ${messageOf(cause)}`, { cause });
  }
  assertModels(input, config);
  return createAiTools(input);
}

/** The plug-ins with models that may call the tools, and the plug-in that keeps the tool servers. */
export async function withTools(plugins: Plugins, config: Config): Promise<Plugins> {
  const tools = await aiToolsOf(config);
  if (tools === null) return plugins;
  const wrapped = plugins.map((plugin) => ({
    ...plugin,
    ...(plugin.models !== undefined && { models: tools.wrap(plugin.models) }),
  }));
  return [...wrapped, tools.plugin];
}
