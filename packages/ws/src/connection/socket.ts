import type { Duplex } from "node:stream";
import type { Peer } from "crossws";
import { type Readable, stoppedByTwo, type Turns } from "./turns.ts";

/** An open WebSocket of an {@link Acceptor}. */
export interface Socket {
  /** The underlying stream, for whole frames while `isOpen`. */
  readonly stream: Duplex;
  /** False after either side has sent a close frame. */
  readonly isOpen: () => boolean;
  /** Sends a close frame. The socket closes when the other side answers, or after the time for that. */
  readonly close: (code: number) => void;
  /** Cuts the connection. */
  readonly terminate: () => void;
  /** Pauses reading. */
  readonly pause: () => void;
  readonly resume: () => void;
}

const openState = 1;

/**
 * Pauses reading through the library. The library would undo a `pause` of the underlying socket, because it resumes the socket
 * after each chunk.
 */
function flow(peer: Peer, name: "pause" | "resume"): void {
  const method: unknown = Reflect.get(peer.websocket, name);
  if (typeof method === "function") method.call(peer.websocket);
}

/** Pauses a connection whenever it sends more than its turn allows. Returns how others pause it. */
function readInTurn(peer: Peer, stream: Duplex, turns: Turns): Readable {
  const [reading, taking] = stoppedByTwo({ pause: () => flow(peer, "pause"), resume: () => flow(peer, "resume") });
  const turn = turns.open(taking);
  stream.on("data", (chunk: Buffer) => turn.came(chunk.length)).once("close", () => turn.closed());
  return reading;
}

/** The socket of a peer that came in over this stream. */
export function createSocket(peer: Peer, stream: Duplex, turns: Turns): Socket {
  return {
    ...readInTurn(peer, stream, turns),
    stream,
    isOpen: () => peer.websocket.readyState === openState,
    close: (code) => peer.close(code),
    terminate: () => peer.terminate(),
  };
}
