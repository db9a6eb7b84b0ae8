import { type IncomingMessage, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@telex/core";
import {
  checkHandshake,
  type ConnectionHooks,
  createAcceptor,
  encodePing,
  encodePong,
  encodeText,
  type Socket,
} from "@telex/ws/acceptor";
import type { Account } from "../account/account.ts";
import type { BotFaults } from "../account/faults.ts";
import type { Admission } from "./doorman.ts";
import type { Link, LinkHooks } from "./link.ts";
import { type Entrance, readEntrance } from "./places.ts";

/** Bytes of one frame: pictures come as base64. */
const frameSize = 16 * 2 ** 20;
/** Milliseconds that the other side has for its part in closing. */
const closeTime = 5000;

function refuse(socket: Duplex, status: number): void {
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`,
    "Connection: close",
    "Content-Length: 0",
    ...(status === 401 ? ['WWW-Authenticate: Bearer realm="onebot"'] : []),
    ...(status === 400 ? ["Sec-WebSocket-Version: 13"] : []),
  ];
  socket.end(`${head.join("\r\n")}\r\n\r\n`, () => socket.destroy());
}

/** A WebSocket of the server as a link. */
function linkOf(socket: Socket): Link {
  const write = (frame: Buffer): boolean => {
    if (socket.isOpen()) socket.stream.write(frame);
    return socket.isOpen();
  };
  return {
    send: (text) => write(encodeText(text)),
    ping: () => void write(encodePing()),
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  };
}

const hooksOf = (socket: Socket, hooks: LinkHooks): ConnectionHooks => ({
  message: (text) => (text === null ? socket.close(1003) : hooks.received(text)),
  ping(content) {
    if (socket.isOpen()) socket.stream.write(encodePong(content));
    hooks.alive();
  },
  pong: () => hooks.alive(),
  drain() {},
  close: () => hooks.closed(),
});

/** What taking connections needs. */
interface ReverseDeps {
  readonly basePath: string;
  readonly admit: (entrance: Entrance) => Admission;
  readonly log: Logger;
  readonly faults: BotFaults;
  /** False before the start and after the end. */
  readonly isRunning: () => boolean;
}

/** Takes the upgrades of implementations that connect to Telex: reverse WebSocket. */
export function createReverse({ basePath, admit, log, faults, isRunning }: ReverseDeps) {
  const acceptor = createAcceptor({ maxPayload: frameSize, closeTimeout: closeTime, log });

  const accept = (account: Account, entrance: Entrance, upgrade: Parameters<typeof handle>): void => {
    const [request, socket, head] = upgrade;
    const { role, version, protocol } = entrance;
    const open = (opened: Socket) => hooksOf(opened, account.connect(linkOf(opened), role, version));
    acceptor.accept({ request, socket, head, protocol, open });
  };
  function handle(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    const entrance = readEntrance(request, basePath);
    if (entrance === null) return false;
    // Node stops listening when it gives a socket away.
    socket.on("error", () => socket.destroy());
    if (!isRunning()) refuse(socket, 503);
    else if (checkHandshake(request) !== null) refuse(socket, 400);
    else {
      const admission = admit(entrance);
      if ("account" in admission) accept(admission.account, entrance, [request, socket, head]);
      else {
        faults.tell("", admission.status === 401 ? "a connection without a token" : "a connection with a wrong token");
        refuse(socket, admission.status);
      }
    }
    return true;
  }
  return handle;
}
