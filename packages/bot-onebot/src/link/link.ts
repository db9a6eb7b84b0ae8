/** An open connection to an implementation, opened by either side. */
export interface Link {
  /** Writes a frame. Returns false, and writes nothing, if the connection is closed. */
  send(text: string): boolean;
  /** Bytes that were sent and not taken by the connection yet. */
  waiting(): number;
  /** Makes the other side send something if it is alive. */
  ping(): void;
  /** Sends a close frame. */
  close(code: number): void;
  /** Cuts the connection. */
  terminate(): void;
  /** Pauses reading until `resume`. */
  pause(): void;
  resume(): void;
}

/** Called by a {@link Link}. */
export interface LinkHooks {
  /** @param isOld true for a frame that says nothing about the current state */
  received(text: string, isOld?: boolean): void;
  /** Called when the action with this echo will get no answer, although it may have arrived. */
  lost?(echo: string): void;
  /** Called when a ping or a pong has arrived. */
  alive(): void;
  /** Called when the other side has taken all waiting bytes. */
  drained?(): void;
  /** Called once, at the end. */
  closed(): void;
}

/** The purpose of a connection of OneBot 11. One of OneBot 12 is always `universal`. */
export type Role = "api" | "event" | "universal";

/** Maximum bytes that wait for a side that does not read. */
const maxWaiting = 32 * 2 ** 20;

/** True if so much waits for the other side that its connection must be cut. */
export const isFull = (waiting: number): boolean => waiting > maxWaiting;

/** The same link, which is cut if the other side does not read. */
export const boundedLink = (link: Link): Link => ({
  ...link,
  send(text) {
    if (!isFull(link.waiting())) return link.send(text);
    link.terminate();
    return false;
  },
});
