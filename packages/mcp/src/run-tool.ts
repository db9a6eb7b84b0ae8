import type { CallToolResult } from "@modelcontextprotocol/server";
import { type ClientOptions, createRouteMethod, TelexClientError } from "@telex/http/client";
import type { Arguments } from "./schema.ts";
import type { Tool } from "./tools.ts";

/** How tools reach a server. */
export type Reach = Pick<ClientOptions, "url" | "token" | "fetch">;

/** Longest result in UTF-16 code units: a page of history must not fill the context of a model. */
const longest = 100_000;

function textOf(output: unknown): string {
  const isPlain = typeof output === "object" && output !== null && "text" in output && "cached" in output;
  const text = isPlain ? String(output.text) : JSON.stringify(output, null, 1);
  return text.length > longest ? `${text.slice(0, longest).toWellFormed()}\n… cut: ask for less` : text;
}

const failed = (text: string): CallToolResult => ({ isError: true, content: [{ type: "text", text }] });

/** A failure in words that help the model to call again, or to give up. */
function explain(error: TelexClientError): CallToolResult {
  const issues = error.issues.map(({ path, message }) => `${path}: ${message}`);
  const again = error.retryAfter === undefined ? [] : [`Try again in ${error.retryAfter} seconds.`];
  return failed([`${error.code}: ${error.message}`, ...issues, ...again].join("\n"));
}

/** @throws the reason of the signal */
function resultOfFailure(cause: unknown, signal: AbortSignal): CallToolResult {
  if (cause instanceof TelexClientError) return explain(cause);
  if (signal.aborted) throw cause;
  return failed("The server did not answer. Try again.");
}

/**
 * Calls the operation of a tool, as its person's program would over HTTP.
 * @param application the name of the program that writes for the person
 * @throws the reason of the signal
 */
export async function runTool(
  tool: Tool,
  input: Arguments,
  reach: Reach,
  { application, signal }: { readonly application: string; readonly signal: AbortSignal },
): Promise<CallToolResult> {
  const { hasVia = false, without = [], route } = tool;
  const fields = Object.fromEntries(Object.entries(input).filter(([name]) => !without.includes(name)));
  const via = hasVia ? { via: { kind: "mcp", name: application } } : {};
  try {
    const output = await createRouteMethod(route, { ...reach, language: "en" })({ ...fields, ...via }, { signal });
    return { content: [{ type: "text", text: textOf(output) }] };
  } catch (cause) {
    return resultOfFailure(cause, signal);
  }
}
