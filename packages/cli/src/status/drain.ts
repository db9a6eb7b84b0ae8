import { withClient } from "../client/with-client.ts";
import type { Server } from "../client/server.ts";
import { print, printJson } from "../terminal/output.ts";

interface DrainOptions {
  /** The name of the server; undefined for the one that answers. */
  readonly server: string | undefined;
  /** Milliseconds over which the server closes its sockets. */
  readonly over: number;
  readonly json: boolean;
}

/** `telex drain` */
export async function drainServer(through: Server, { server, over, json }: DrainOptions): Promise<void> {
  const request = { ...(server !== undefined && { server }), seconds: Math.round(over / 1000) };
  const drained = await withClient(through, async ({ operator }) => await operator.server.drain(request));
  if (json) printJson({ ...drained, seconds: request.seconds });
  else print(`${drained.server} drains, and can be stopped in ${request.seconds} s.`);
}
