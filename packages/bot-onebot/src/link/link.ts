/** An open connection to an implementation, opened by either side. */
export interface Link {
  /** Writes a frame. Returns false, and writes nothing, if the connection is closed. */
  send(text: string): boolean;
  /** Bytes that were sent and that the connection has not taken yet. */
  waiting(): number;
  /** Makes a living other side send something. */
  ping(): void;
  /** Sends a close frame. */
  close(code: number): void;
  /** Cuts the connection. */
  terminate(): void;
  /** Reads no more until `resume`. */
  pause(): void;
  resume(): void;
}

/** Called by a {@link Link}. */
export interface LinkHooks {
  /** @param isOld true for a frame that says nothing of what holds now */
  received(text: string, isOld?: boolean): void;
  /** The action with this echo gets no answer any more, although it may have arrived. */
  lost?(echo: string): void;
  /** A ping or a pong has come. */
  alive(): void;
  /** The other side has taken what waited for it. */
  drained?(): void;
  /** Called once, at the end. */
  closed(): void;
}

/** The purpose of a connection of OneBot 11. One of OneBot 12 is always `universal`. */
export type Role = "api" | "event" | "universal";

/** Bytes that may wait for a side that does not read. */
const mostWaiting = 32 * 2 ** 20;

/** True if so much waits for the other side that its connection must be cut. */
export const isFull = (waiting: number): boolean => waiting > mostWaiting;

/** The same link, which is cut when the other side does not read what is sent. */
export const boundedLink = (link: Link): Link => ({
  ...link,
  send(text) {
    if (!isFull(link.waiting())) return link.send(text);
    link.terminate();
    return false;
  },
});
