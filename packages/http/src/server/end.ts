import type { Server, Socket } from "node:net";

/** A Node server of HTTP/1.1, HTTPS or HTTP/2. */
export type NodeServer = Server & { closeIdleConnections?(): void };

/** How often idle connections are closed while a server stops, in milliseconds. */
const idleInterval = 50;

function openSocketsOf(server: NodeServer): ReadonlySet<Socket> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return sockets;
}

/**
 * Ends a server: it stops listening, waits for requests in progress, and closes the remaining connections after a time. Create it before
 * the server listens, because Node does not report which connections have had no request yet.
 */
export function createEnd(server: NodeServer): (time: number) => Promise<void> {
  const sockets = openSocketsOf(server);
  return async (time) => {
    const closed = Promise.withResolvers<void>();
    server.close(() => closed.resolve());
    // Node counts a connection as idle only once it has had a request.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
    const idle = setInterval(() => server.closeIdleConnections?.(), idleInterval);
    const late = setTimeout(() => sockets.forEach((socket) => socket.destroy()), time);
    await closed.promise.finally(() => {
      clearInterval(idle);
      clearTimeout(late);
    });
  };
}
