import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type ConnectionHooks, encodePing, encodePong, encodeText, type Socket } from "@telex/ws/acceptor";
import { boundedLink, type Link, type LinkHooks } from "./link.ts";

/** Bytes of one frame: pictures come as base64. */
export const frameSize = 16 * 2 ** 20;
/** Milliseconds that the other side has for its part in closing. */
export const closeTime = 5000;

/** Answers an upgrade that is not taken. */
export function refuse(socket: Duplex, status: number): void {
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
export function linkOf(socket: Socket): Link {
  const write = (frame: Buffer): boolean => {
    if (socket.isOpen()) socket.stream.write(frame);
    return socket.isOpen();
  };
  return boundedLink({
    send: (text) => write(encodeText(text)),
    waiting: () => socket.stream.writableLength,
    ping: () => void write(encodePing()),
    close: (code) => socket.close(code),
    terminate: () => socket.terminate(),
    pause: () => socket.pause(),
    resume: () => socket.resume(),
  });
}

/** What the acceptor tells, for a link. A binary frame ends the connection. What comes after a close frame does not count. */
export const hooksOf = (socket: Socket, hooks: LinkHooks): ConnectionHooks => ({
  message(text) {
    if (!socket.isOpen()) return;
    if (text === null) socket.close(1003);
    else hooks.received(text);
  },
  ping(content) {
    if (socket.isOpen()) socket.stream.write(encodePong(content));
    hooks.alive();
  },
  pong: () => hooks.alive(),
  drain() {},
  close: () => hooks.closed(),
});
