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
 * The name by which a program introduces itself, for those who read what it writes. It proves nothing.
 * @param stated the name in the handshake of 2025-11-25, where there was one on this connection
 */
export function applicationOf({ mcpReq, http }: ServerContext, stated: string | undefined): string {
  const info = introduced.safeParse(mcpReq.envelope).data?.["io.modelcontextprotocol/clientInfo"];
  const agent = /^[\w .-]+/.exec(http?.req?.headers.get("user-agent") ?? "")?.[0];
  for (const name of [info?.name, stated, agent]) {
    const shown = cut(name ?? "");
    if (shown !== "") return shown;
  }
  return "MCP";
}
