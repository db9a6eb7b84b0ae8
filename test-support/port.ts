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

/** Workers that run simultaneously begin at different ports. */
let next = (process.pid * 37) % count;

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  const isListening = await once(server, "listening").then(
    () => true,
    () => false,
  );
  if (!isListening) return false;
  server.close();
  await once(server, "close");
  return true;
}

/** A port that was free a moment ago: for a program that does not say which one it took, or comes back at the same one. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = lowest + next;
    next = (next + 1) % count;
    if (await isFree(port)) return port;
  }
}
