import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { type ConnectionHooks, encodePing, encodePong, encodeText, type Socket } from "@telex/ws/acceptor";
import type { FaultCause } from "./faults.ts";
import { type Incoming, openArriving } from "./incoming.ts";
import { boundedLink, isFull, type Link, type LinkHooks } from "./link.ts";

/** Bytes of one frame: pictures come as base64. */
export const frameSize = 16 * 2 ** 20;
/** Milliseconds for the other side to answer a close frame. */
export const closeTime = 5000;

/** Bytes of the header of a ping or pong, which the other side has masked. */
const maskedHeader = 6;

/** Answers an upgrade that is refused. */
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

interface TakenDeps {
  readonly incoming: Incoming;
  readonly fault: (cause: FaultCause) => void;
}

/** False if the socket is closed. */
function write(socket: Socket, frame: Buffer): boolean {
  if (socket.isOpen()) socket.stream.write(frame);
  return socket.isOpen();
}

/** A WebSocket of the server as a link. */
function linkOf(socket: Socket, reading: Pick<Link, "pause" | "resume">, notReading: () => void): Link {
  const waiting = (): number => socket.stream.writableLength;
  return boundedLink({
    send: (text) => write(socket, encodeText(text)),
    waiting,
    ping: () => void write(socket, encodePing()),
    close: (code) => socket.close(code),
    terminate() {
      if (isFull(waiting())) notReading();
      socket.terminate();
    },
    ...reading,
  });
}

/** The fault that a failed connection shows, or null: it may just have been lost. */
export function faultOf(reason: string): FaultCause | null {
  if (reason.includes("Max payload size exceeded")) return "oversized_frame";
  return reason.includes("Invalid WebSocket frame") ? "broken_frame" : null;
}

/**
 * Serves a WebSocket of the server as a link. A binary frame ends the connection. Frames after a close frame do not count.
 */
export function takeSocket(
  socket: Socket,
  { incoming, fault }: TakenDeps,
  open: (link: Link) => LinkHooks,
): ConnectionHooks {
  const arriving = openArriving(incoming, socket, fault);
  const link = linkOf(socket, arriving.reading, () => fault("not_reading"));
  const hooks = open(link);
  // Before the library reads the same bytes: they may complete the frame.
  socket.stream.prependListener("data", (chunk: Buffer) => arriving.came(chunk.length));
  return {
    message(text) {
      arriving.finished();
      if (!socket.isOpen()) return;
      if (text !== null) return hooks.received(text);
      fault("broken_frame");
      return socket.close(1003);
    },
    ping(content) {
      arriving.handled(maskedHeader + content.length);
      // A peer that sends pings and reads nothing must not fill the memory with pongs.
      if (isFull(link.waiting())) link.terminate();
      else if (socket.isOpen()) socket.stream.write(encodePong(content));
      hooks.alive();
    },
    pong() {
      // The pings of Telex have no content, so the pong has none.
      arriving.handled(maskedHeader);
      hooks.alive();
    },
    drain: () => hooks.drained?.(),
    failed(reason) {
      const cause = faultOf(reason);
      if (cause !== null) fault(cause);
    },
    close() {
      arriving.closed();
      hooks.closed();
    },
  };
}
