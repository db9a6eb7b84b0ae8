import type { Client, Tool } from "@modelcontextprotocol/client";
import { mostDescription, mostListing, mostSchema, mostTools } from "./bounds.ts";
import type { ToolServerOptions } from "./options.ts";
import { cut, plainText } from "./text.ts";

/** A tool as models see it. */
export interface ListedTool {
  /** Its name at its server. */
  readonly name: string;
  /** Its name for models: unique among all servers, of letters, digits, `_` and `-`. */
  readonly offered: string;
  readonly description: string;
  readonly inputSchema: Tool["inputSchema"];
  /** True if each call needs the permission of the person. */
  readonly asks: boolean;
}

export interface Listing {
  readonly tools: readonly ListedTool[];
  /** Tools that are not offered: there are too many, or one is too large or has an impossible name. */
  readonly leftOut: number;
}

/** A hint of the server can make a tool stricter, never milder. */
function asksFor({ ask, harmless }: ToolServerOptions, { name, annotations }: Tool): boolean {
  if (ask !== "hints") return ask === "always";
  const isHarmless = annotations?.readOnlyHint === true && annotations.destructiveHint !== true;
  return !(harmless.includes(name) && isHarmless);
}

const possibleName = /^[\w.-]{1,64}$/;

const sizeOf = ({ offered, description, inputSchema }: ListedTool): number =>
  offered.length + description.length + JSON.stringify(inputSchema).length;

/** The tools that fit the bounds, in the order of the server. */
function listingOf(server: string, options: ToolServerOptions, all: readonly Tool[]): Listing {
  const tools = new Map<string, ListedTool>();
  let size = 0;
  for (const tool of all) {
    const { name, description = "", inputSchema } = tool;
    if (tools.size >= mostTools) break;
    const offered = `${server}_${name}`.replaceAll(".", "_").slice(0, 64);
    const listed = { name, offered, description: plainText(cut(description, mostDescription)), inputSchema };
    const entry = { ...listed, asks: asksFor(options, tool) };
    const isPossible = possibleName.test(name) && !tools.has(offered) && sizeOf(entry) <= mostSchema;
    if (!isPossible || size + sizeOf(entry) > mostListing) continue;
    size += sizeOf(entry);
    tools.set(offered, entry);
  }
  return { tools: [...tools.values()], leftOut: all.length - tools.size };
}

/** Asks a server for its tools. */
export async function listTools(
  client: Client,
  { server, options, time }: { readonly server: string; readonly options: ToolServerOptions; readonly time: number },
): Promise<Listing> {
  const { tools } = await client.listTools(undefined, { timeout: time, maxTotalTimeout: time, cacheMode: "refresh" });
  return listingOf(server, options, tools);
}
