import type { Duplex } from "node:stream";

/** The bytes below a connection: a TCP or TLS socket, or a WebSocket. */
export interface Link {
  /** The stream that takes the output. */
  readonly stream: Duplex;
  /** False once no output may follow. */
  readonly isOpen: () => boolean;
  /** Wraps a packet for the stream. */
  readonly frame: (packet: Buffer) => Buffer;
  /** Ends the output after pending writes, and closes when the other side does. */
  readonly end: () => void;
  /** Cuts the connection. */
  readonly terminate: () => void;
  /** Pauses reading. */
  readonly pause: () => void;
  readonly resume: () => void;
  /** The address of the other side; null if it is not known. */
  readonly address: string | null;
}
