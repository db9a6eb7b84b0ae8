import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import type { Callers } from "@telex/ws/acceptor";
import type { Link } from "../io/link.ts";
import type { Connections } from "./connections.ts";

/** The address and the certificate of a listener. */
export interface ListenOptions {
  /** Default: all addresses. */
  readonly host?: string;
  /** 0 for any free port. */
  readonly port: number;
  /** The certificate and its key in PEM. Without them, the connections are not encrypted. */
  readonly tls?: { readonly cert: string | Buffer; readonly key: string | Buffer };
}

export interface Listener {
  readonly port: number;
  /** Accepts no new connections. Resolves when all are closed. */
  readonly stop: () => Promise<void>;
  /** Cuts the remaining connections, which have not completed their handshake. */
  readonly cut: () => void;
}

interface TcpDeps {
  readonly connections: Connections;
  readonly callers: Pick<Callers, "enterFrom">;
  /** Milliseconds for a TLS handshake. */
  readonly handshakeTime: number;
}

const linkOf = (socket: Socket): Link => ({
  stream: socket,
  isOpen: () => socket.writable,
  frame: (packet) => packet,
  end: () => void socket.end(),
  terminate: () => void socket.destroy(),
  pause: () => void socket.pause(),
  resume: () => void socket.resume(),
  address: socket.remoteAddress ?? null,
});

function serve({ connections }: TcpDeps, socket: Socket): void {
  socket.setNoDelay(true);
  const { connection, closed } = connections.open(linkOf(socket));
  socket.on("data", connection.receive);
  socket.on("drain", connection.drained);
  socket.on("close", closed);
}

/** Counts a connection for its address from the start. Connections above the limit are cut. */
function enter({ callers }: TcpDeps, socket: Socket): boolean {
  // The event `close` follows.
  socket.on("error", () => undefined);
  try {
    socket.once("close", callers.enterFrom(socket.remoteAddress ?? null));
    return true;
  } catch {
    socket.destroy();
    return false;
  }
}

function createPlain(deps: TcpDeps): Server {
  return createServer((socket) => {
    if (enter(deps, socket)) serve(deps, socket);
  });
}

function createTls(deps: TcpDeps, tls: NonNullable<ListenOptions["tls"]>): Server {
  const server = createTlsServer({ ...tls, handshakeTimeout: deps.handshakeTime }, (socket) => {
    socket.on("error", () => undefined);
    serve(deps, socket);
  });
  server.on("connection", (socket: Socket) => void enter(deps, socket));
  server.on("tlsClientError", (_error, socket) => void socket.destroy());
  return server;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
};

/**
 * Listens for MQTT over TCP or TLS.
 * @throws Error if it cannot listen on the address, or the certificate is not valid
 */
export async function listenTcp(deps: TcpDeps, { host, port, tls }: ListenOptions): Promise<Listener> {
  const server = tls === undefined ? createPlain(deps) : createTls(deps, tls);
  const open = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  server.listen({ port, ...(host !== undefined && { host }) });
  await once(server, "listening");
  return {
    port: portOf(server),
    async stop() {
      server.close();
      await once(server, "close");
    },
    cut() {
      for (const socket of open) socket.destroy();
    },
  };
}
