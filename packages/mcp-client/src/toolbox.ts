import type { ReplyPerson, ToolDefinition } from "@telex/core";
import type { ListedTool } from "./listing.ts";
import type { ToolServer } from "./server.ts";

/** A tool with its server. */
export interface OfferedTool {
  readonly server: ToolServer;
  readonly tool: ListedTool;
  readonly definition: ToolDefinition;
}

/** True if this model may call the tools of a server at this place. */
function mayUse({ options }: ToolServer, model: string, { place }: ReplyPerson): boolean {
  if (place === "room") return options.rooms.includes(model);
  return options.models?.includes(model) ?? true;
}

/** Maximum tools of one request that providers accept. */
const maxOffered = 128;

/** The tools for a reply, by the names that the model gets. Tools that ask are left out if the person cannot be asked. */
export async function offerTools(
  servers: readonly ToolServer[],
  model: string,
  person: ReplyPerson,
): Promise<ReadonlyMap<string, OfferedTool>> {
  const toolsets = await Promise.all(
    servers
      .filter((server) => mayUse(server, model, person))
      .map(async (server) => (await server.list()).map((tool) => ({ server, tool }))),
  );
  const offered = new Map<string, OfferedTool>();
  for (const { server, tool } of toolsets.flat()) {
    const { offered: name, description, inputSchema, asks } = tool;
    const isLeftOut = (asks && person.ask === undefined) || offered.has(name) || offered.size >= maxOffered;
    if (isLeftOut) continue;
    offered.set(name, { server, tool, definition: { name, description, parameters: JSON.stringify(inputSchema) } });
  }
  return offered;
}
