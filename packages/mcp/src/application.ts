import type { ServerContext } from "@modelcontextprotocol/server";
import { z } from "zod";
import { codePoints } from "@telex/core/contract";

/** Code points of the name of an application. */
const most = 64;

/** The name in each request of 2026-07-28. */
const introduced = z.object({ "io.modelcontextprotocol/clientInfo": z.object({ name: z.string() }) });

function cut(name: string): string {
  const clean = name
    .replaceAll(/\p{Cc}/gu, " ")
    .trim()
    .toWellFormed();
  return codePoints(clean) <= most ? clean : [...clean].slice(0, most).join("");
}

/**
 * The name of a program, for readers of its messages. It proves nothing.
 * @param stated the name in the handshake of 2025-11-25, if there was one on this connection
 * @param known returns the name of the application that has the token
 */
export async function applicationOf(
  { mcpReq, http }: ServerContext,
  stated: string | undefined,
  known: () => Promise<string | null>,
): Promise<string> {
  const info = introduced.safeParse(mcpReq.envelope).data?.["io.modelcontextprotocol/clientInfo"];
  const own = cut(info?.name ?? stated ?? "");
  if (own !== "") return own;
  const agent = /^[\w .-]+/.exec(http?.req?.headers.get("user-agent") ?? "")?.[0] ?? "";
  return cut((await known()) ?? "") || cut(agent) || "MCP";
}
