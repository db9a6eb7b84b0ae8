import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** The port on which a server listens. */
export function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server has no port.");
  return address.port;
}

/** Below those that the system gives to connections, of which one could take a port before the program does. */
const [lowest, count] = [10_000, 20_000];

/** True if it listens there from now on. */
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
 * Keeps a port for this process until it ends, by a name that only one process of the machine can have: a program that is killed and
 * started again would otherwise find its port in the hands of another test run. Only Linux has such names.
 */
async function reserve(port: number): Promise<boolean> {
  if (process.platform !== "linux") return true;
  const server = createServer().unref();
  return await listens(server, { path: `\0telex-port-${port}` });
}

/** Gives ports from this place on. */
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
 * A port that was free a moment ago, and is given to no other test: for a program that does not say which one it took, or comes back at
 * the same one. Processes that run simultaneously begin at different ports.
 */
export const freePort = createPorts(process.pid * 37);
