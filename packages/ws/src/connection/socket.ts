import type { Duplex } from "node:stream";
import type { Peer } from "crossws";

/** An open WebSocket, as a connection uses it. */
export interface Socket {
  /** The stream below, for whole frames, while `isOpen`. */
  readonly stream: Duplex;
  /** False once either side has sent a close frame. */
  readonly isOpen: () => boolean;
  /** Sends a close frame. The socket goes when the other side has answered, or was given its time. */
  readonly close: (code: number) => void;
  /** Cuts the connection. */
  readonly terminate: () => void;
  /** Reads no more. */
  readonly pause: () => void;
  readonly resume: () => void;
}

const openState = 1;

/**
 * Reading is stopped through the library: its own `pause` on the socket below would be undone by the library, which resumes
 * the socket whenever it has worked off what it was given.
 */
function flow(peer: Peer, name: "pause" | "resume"): void {
  const method: unknown = Reflect.get(peer.websocket, name);
  if (typeof method === "function") method.call(peer.websocket);
}

/** The socket of a peer that came in over this stream. */
export const createSocket = (peer: Peer, stream: Duplex): Socket => ({
  stream,
  isOpen: () => peer.websocket.readyState === openState,
  close: (code) => peer.close(code),
  terminate: () => peer.terminate(),
  pause: () => flow(peer, "pause"),
  resume: () => flow(peer, "resume"),
});
