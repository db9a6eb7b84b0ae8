import type { IncomingMessage, ServerResponse } from "node:http";

/** Node's side of a request. */
export interface NodeSide {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/**
 * Calls `ended` once: with true when the whole response has left, with false when it no longer can. A response that waits behind others
 * on one connection learns of the end of that connection only from the socket.
 */
export function onEnded({ req, res }: NodeSide, ended: (written: boolean) => void): void {
  const { socket } = req;
  const end = (): void => {
    res.off("finish", end);
    res.off("close", end);
    socket.off("close", end);
    ended(res.writableFinished);
  };
  if (res.writableFinished || res.destroyed || socket.destroyed) return ended(res.writableFinished);
  // Each of the responses that wait on a connection listens to its socket.
  socket.setMaxListeners(0);
  res.once("finish", end);
  res.once("close", end);
  socket.once("close", end);
}

/** A signal that is aborted when the response can no longer be written. */
export function abortedUnlessWritten(node: NodeSide): AbortSignal {
  const controller = new AbortController();
  onEnded(node, (written) => {
    if (!written) controller.abort();
  });
  return controller.signal;
}
