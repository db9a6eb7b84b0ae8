import { IncomingMessage, ServerResponse } from "node:http";
import type { H3Event } from "h3";

/** Node's side of a request. */
export interface NodeSide {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/** Node's side of a request; null where the host gave nothing but a `Request`, or speaks HTTP/2. */
export function nodeOf(event: H3Event): NodeSide | null {
  const { req, res } = event.runtime?.node ?? {};
  return req instanceof IncomingMessage && res instanceof ServerResponse ? { req, res } : null;
}

/**
 * Calls `ended` once: with true when the answer has left as a whole, with false when it cannot any more. An answer that
 * waits behind others on one connection hears of the end of that connection only from the socket.
 */
export function onEnded({ req, res }: NodeSide, ended: (written: boolean) => void): void {
  const { socket } = req;
  const end = (): void => {
    res.off("finish", end);
    res.off("close", end);
    socket.off("close", end);
    ended(res.writableFinished);
  };
  if (res.writableFinished || res.destroyed || socket.destroyed) {
    ended(res.writableFinished);
    return;
  }
  // Each of the answers that wait on a connection listens to its socket.
  socket.setMaxListeners(0);
  res.once("finish", end);
  res.once("close", end);
  socket.once("close", end);
}
