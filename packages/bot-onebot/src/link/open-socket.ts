import type { Clock } from "@telex/core";
import { type RawData, WebSocket } from "ws";
import type { FaultCause } from "./faults.ts";
import { type Incoming, openArriving } from "./incoming.ts";
import { boundedLink, isFull, type Link, type LinkHooks } from "./link.ts";
import { frameSize } from "./server-link.ts";

/** Bytes of the header of a ping or pong of a server. */
const header = 2;

/** Milliseconds for the handshake. */
const handshakeTime = 10_000;

const textOf = (data: RawData): string => (Buffer.isBuffer(data) ? data.toString() : "");

/** A WebSocket that Telex has opened, as a link. */
const linkOf = (socket: WebSocket, reading: Pick<Link, "pause" | "resume">, notReading: () => void): Link =>
  boundedLink({
    send(text) {
      const isOpen = socket.readyState === WebSocket.OPEN;
      if (isOpen) socket.send(text);
      return isOpen;
    },
    waiting: () => socket.bufferedAmount,
    ping: () => socket.readyState === WebSocket.OPEN && socket.ping(),
    close: (code) => socket.close(code),
    terminate() {
      if (isFull(socket.bufferedAmount)) notReading();
      socket.terminate();
    },
    ...reading,
  });

/** The reason why there is no connection. */
export interface ConnectFailure {
  /** `secret_refused`: the other side has answered 401 or 403; `closed`: a connection that was open has ended. */
  readonly code: "connect_failed" | "secret_refused" | "closed";
  /** A sentence. */
  readonly text: string;
}

export interface KeptSocket {
  readonly clock: Clock;
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Maximum milliseconds before an attempt to reconnect. */
  readonly longestWait: number;
  readonly incoming: Incoming;
  readonly fault: (cause: FaultCause) => void;
  readonly opened: (link: Link) => LinkHooks;
  /** Called when a connection has ended, or was not made. */
  readonly failed: (failure: ConnectFailure) => void;
}

/** An address without parts that may be secret. */
export function placeOf(address: string): string {
  const { protocol, host, pathname } = new URL(address);
  return `${protocol}//${host}${pathname}`;
}

export function failureOf(address: string, error: Error | null, code: number): ConnectFailure {
  const place = placeOf(address);
  if (error === null) return { code: "closed", text: `The connection to ${place} has ended (${code}).` };
  const reason = "code" in error && typeof error.code === "string" ? error.code : error.message;
  if (/response: 40[13]$/.test(reason))
    return { code: "secret_refused", text: `${place} refuses the secret of this account: ${reason}.` };
  return { code: "connect_failed", text: `Telex cannot connect to ${place}: ${reason}.` };
}

/** Opens a connection, and serves it as a link. */
export function openSocket({ address, headers, opened, incoming, fault }: KeptSocket) {
  const socket = new WebSocket(address, {
    headers: { ...headers },
    maxPayload: frameSize,
    handshakeTimeout: handshakeTime,
    perMessageDeflate: false,
  });
  let hooks: LinkHooks | null = null;
  const arriving = openArriving(incoming, socket, fault);
  socket.on("upgrade", ({ headers: answered, socket: stream }) => {
    // The library would refuse any answer of the other side about a subprotocol that a header offers.
    Reflect.deleteProperty(answered, "sec-websocket-protocol");
    socket.on("open", () => {
      hooks = opened(linkOf(socket, arriving.reading, () => fault("not_reading")));
      // Not sooner, and before the library reads the same bytes: they may complete the frame.
      stream.prependListener("data", (chunk: Buffer) => arriving.came(chunk.length));
      stream.on("drain", () => hooks?.drained?.());
    });
  });
  socket.on("message", (data, isBinary) => {
    arriving.finished();
    if (!isBinary) return hooks?.received(textOf(data));
    fault("broken_frame");
    return socket.close(1003);
  });
  const alive = (content: Buffer): void => {
    arriving.handled(header + content.length);
    hooks?.alive();
  };
  socket.on("ping", alive);
  socket.on("pong", alive);
  socket.on("close", () => {
    arriving.closed();
    hooks?.closed();
  });
  return { socket, isOpened: () => hooks !== null };
}
