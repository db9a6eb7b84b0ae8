import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  return address.port;
}

/** A port that was free a moment ago: for a program that does not say which one it took, or comes back at the same one. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const port = portOf(server);
  server.close();
  await once(server, "close");
  return port;
}
