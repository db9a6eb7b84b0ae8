import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  return address.port;
}

/** Below the ports that the system assigns to outgoing connections: one of those could take a port before the program does. */
const [lowest, count] = [10_000, 20_000];

/** True if the server now listens on the port. */
const listens = (
  server: Server,
  place: Readonly<Record<"path", string>> | { readonly port: number; readonly host: string },
) =>
  once(server.listen(place), "listening").then(
    () => true,
    () => false,
  );

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  if (!(await listens(server, { port, host: "127.0.0.1" }))) return false;
  server.close();
  await once(server, "close");
  return true;
}

/**
 * Reserves a port for this process until it ends, with a name that only one process of the machine can hold. Otherwise a program that
 * is killed and restarted could find its port taken by another test run. Only Linux has such names.
 */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const server = createServer().unref();
  return await listens(server, { path: `\0telex-port-${port}` });
}

/** Assigns ports, beginning with this one. */
export function createPorts(first: number): () => Promise<number> {
  let next = first % count;
  return async () => {
    for (;;) {
      const port = lowest + next;
      next = (next + 1) % count;
      if ((await isFree(port)) && (await reserve(port))) return port;
    }
  };
}

/**
 * A port that was free a moment ago and that no other test gets, for a program that cannot report its port, or that must restart at
 * the same one. Simultaneous processes begin at different ports.
 */
export const freePort = createPorts(process.pid * 37);
