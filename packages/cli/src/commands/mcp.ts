import type { Command } from "commander";
import { send } from "../client/requests.ts";
import { callsTo, within } from "../client/with-client.ts";
import { type Server, serverFor } from "../client/server.ts";
import { Refusal } from "../client/refusal.ts";
import { readManifest } from "../manifest.ts";
import { clientSettings, configOf, settingOptions } from "../options/command.ts";

const mcpHelp = `
Speaks the Model Context Protocol on standard input and output: a program such as an editor or an assistant starts it. What a model writes
appears under the name of the person who is signed in, marked as written by an application. Programs that speak the protocol over HTTP use
<address of the server>/mcp instead.

Example, in the configuration of such a program:
  { "mcpServers": { "telex": { "command": "telex", "args": ["mcp"] } } }`;

/** The scopes of a token that lists the person's tokens, or cannot. */
async function scopesOf(server: Server): Promise<readonly string[]> {
  try {
    await callsTo(server)((client) => client.users.tokens({}, within()));
    return ["chat"];
  } catch (cause) {
    if (cause instanceof Refusal && cause.error === "insufficient_scope") return ["device"];
    throw cause;
  }
}

/** Runs until standard input ends. */
async function serveModel(command: Command): Promise<void> {
  const config = await configOf(command);
  const { url, token } = await serverFor(config);
  const scopes = await scopesOf({ url, token });
  const [{ createMcpServer, readyTools, tools }, { serveStdio }, { roomTools }] = await Promise.all([
    import("@telex/mcp"),
    import("@modelcontextprotocol/server/stdio"),
    import("../server/mcp.ts"),
  ]);
  // The token of a profile is renewed while the program runs.
  const fetch = async (request: Request): Promise<Response> => {
    request.headers.set("authorization", `Bearer ${(await serverFor(config)).token}`);
    return await send(request);
  };
  const { version } = readManifest();
  const parts = {
    version,
    tools: readyTools([...tools, ...roomTools]),
    reach: { url, fetch },
    scopes,
    hasSubscriptions: false,
  };
  serveStdio(() => createMcpServer(parts));
}

export function defineMcp(command: Command): void {
  settingOptions(command, clientSettings)
    .addHelpText("after", mcpHelp)
    .action(async () => serveModel(command));
}
