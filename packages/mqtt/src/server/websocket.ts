import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { type Telex, TelexError } from "@telex/core";
import {
  type Callers,
  checkHandshake,
  type ConnectionHooks,
  createAcceptor,
  encodeBinary,
  encodePong,
  offeredProtocols,
  refuseUpgrade,
  type Socket,
} from "@telex/ws/acceptor";
import type { Link } from "../io/link.ts";
import type { MqttLimits } from "../limits.ts";
import type { Connections } from "./connections.ts";

interface WebSocketDeps {
  readonly telex: Telex;
  readonly connections: Connections;
  readonly callers: Callers;
  readonly limits: MqttLimits;
  /** The path of the endpoint. */
  readonly path: string;
  readonly isRefusing: () => boolean;
}

/** The subprotocol that MQTT 5 and 3.1.1 require. */
const protocol = "mqtt";

const normalClosure = 1000;

const linkOf = (socket: Socket, address: string | null): Link => ({
  stream: socket.stream,
  isOpen: socket.isOpen,
  frame: encodeBinary,
  end: () => socket.close(normalClosure),
  terminate: socket.terminate,
  pause: socket.pause,
  resume: socket.resume,
  address,
});

function hooksOf({ connections }: WebSocketDeps, socket: Socket, address: string | null): ConnectionHooks {
  const { connection, closed } = connections.open(linkOf(socket, address));
  return {
    message: socket.terminate,
    binary: (bytes) => connection.receive(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)),
    ping: (content) => connection.write(encodePong(content)),
    pong: () => undefined,
    drain: connection.drained,
    close: closed,
  };
}

/** Rejects an upgrade that is not valid for MQTT. */
function assertUpgrade({ isRefusing }: WebSocketDeps, request: IncomingMessage): void {
  const refusal = isRefusing() ? new TelexError("shutting_down") : checkHandshake(request);
  if (refusal !== null) throw refusal;
  if (offeredProtocols(request.headers["sec-websocket-protocol"])?.includes(protocol) === true) return;
  const issue = { path: "sec-websocket-protocol", problem: "unknown_value", params: { expected: protocol } } as const;
  throw new TelexError("invalid_request", { issues: [issue] });
}

/** Handles the upgrades of MQTT over WebSocket. The returned function returns false for another path. */
export function createWebSockets(deps: WebSocketDeps) {
  const { telex, callers, limits, path } = deps;
  const acceptor = createAcceptor({ maxPayload: limits.packetSize, closeTimeout: limits.closeTime, log: telex.log });
  return (request: IncomingMessage, socket: Duplex, head: Buffer): boolean => {
    const [asked] = (request.url ?? "").split("?");
    if (asked !== path) return false;
    // Node removes its listeners when it hands over a socket, and an unhandled error would end the process.
    socket.on("error", () => socket.destroy());
    try {
      assertUpgrade(deps, request);
      const address = callers.addressOf(request);
      socket.once("close", callers.enterFrom(address));
      acceptor.accept({ request, socket, head, protocol, open: (opened) => hooksOf(deps, opened, address) });
    } catch (cause) {
      refuseUpgrade(socket, TelexError.from(cause), telex.otherLocale);
    }
    return true;
  };
}
