import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ServedHttp } from "./app.ts";
import { createEnd } from "./end.ts";
import { refuseRequest, type Pending, waitingOn, noteResponse, answerParserErrors } from "./parser-errors.ts";
import { createTurns } from "./turns.ts";

/** Where a server listens, and who takes its upgrades. */
export interface ServeOptions {
  /** The address to listen on. Default `127.0.0.1`. */
  readonly host?: string;
  /** The port to listen on; 0 for any that is free. Default 7700. */
  readonly port?: number;
  /** Takes over a connection that asks for another protocol; without it, such a request is answered like any other. */
  readonly upgrade?: (req: IncomingMessage, socket: Duplex, head: Buffer) => void;
}

/** A server that listens. */
export interface Serving {
  /** Its address, without a slash at the end. */
  readonly url: string;
  readonly server: Server;
  /**
   * Stops listening, waits for requests in progress, and closes the remaining ones after the deadline.
   * @param deadline milliseconds
   */
  readonly close: (deadline: number) => Promise<void>;
}

/** Closes connections on which nothing arrives at all. */
function refuseSilence(http: ServedHttp, server: Server): void {
  server.on("connection", (socket: Socket) => {
    const timer = setTimeout(() => {
      if (socket.bytesRead === 0) socket.destroy();
    }, http.limits.firstByteTime).unref();
    socket.once("close", () => clearTimeout(timer));
  });
}

/** Closes connections on which nothing moves, unless the client has sent its request and waits for the response. */
function endSilence(server: Server, pending: Pending, silence: number): void {
  server.timeout = silence;
  server.on("timeout", (socket: Socket) => {
    if (!waitingOn(pending, socket).some((res) => res.req.complete && !res.headersSent)) socket.destroy();
  });
}

async function listen(server: Server, { host = "127.0.0.1", port = 7700 }: ServeOptions): Promise<AddressInfo> {
  const { promise: listening, resolve, reject } = Promise.withResolvers<void>();
  server.once("error", reject).listen({ host, port, exclusive: true }, resolve);
  await listening;
  server.off("error", reject);
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("The server listens on no port.");
  return address;
}

function createListener(http: ServedHttp, { upgrade }: ServeOptions): { server: Server; stopping: () => void } {
  const { limits } = http;
  let isStopping = false;
  const pending: Pending = new WeakMap();
  const turns = createTurns();
  const server = createServer({
    maxHeaderSize: limits.headerSize,
    headersTimeout: limits.headerTime,
    // This would be one limit for all routes; bodies and uploads have their own.
    requestTimeout: 0,
    connectionsCheckingInterval: limits.lateCheckInterval,
    // Node would answer without a body.
    requireHostHeader: false,
    keepAliveTimeout: limits.keepAlive,
  });
  const answer: ServedHttp["node"] = (req, res) => {
    const { socket } = req;
    noteResponse(pending, socket, res);
    turns.take(res, () => {
      if (isStopping) res.shouldKeepAlive = false;
      if (req.headers.host === undefined && req.httpVersion === "1.1") refuseRequest(http, res);
      else http.node(req, res);
    });
  };
  server.on("request", answer).on("checkExpectation", answer);
  answerParserErrors(http, server, pending);
  refuseSilence(http, server);
  endSilence(server, pending, limits.socketSilence);
  if (upgrade !== undefined) {
    server.on("upgrade", (req, socket: Socket, head) => {
      socket.setTimeout(0);
      turns.end(socket);
      upgrade(req, socket, head);
    });
  }
  return { server, stopping: () => void (isStopping = true) };
}

const urlOf = ({ address, family, port }: AddressInfo): string =>
  `http://${family === "IPv6" ? `[${address}]` : address}:${port}`;

/**
 * Listens with the limits of a server that faces the network: on size and time of headers, on silence, on idle time.
 * `serve` does the same for HTTP and sockets together.
 * @throws Error when the address cannot be listened on
 */
export async function serveHttp(http: ServedHttp, options: ServeOptions = {}): Promise<Serving> {
  const { server, stopping } = createListener(http, options);
  const end = createEnd(server);
  const address = await listen(server, options);
  return {
    url: urlOf(address),
    server,
    close(deadline) {
      stopping();
      return end(deadline);
    },
  };
}
