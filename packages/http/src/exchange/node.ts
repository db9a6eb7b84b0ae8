import type { IncomingMessage, ServerResponse } from "node:http";

/** Node's side of a request. */
export interface NodeSide {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

/**
 * Calls `ended` once: with true when the response has left as a whole, with false when it cannot any more. A response that
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
  if (res.writableFinished || res.destroyed || socket.destroyed) return ended(res.writableFinished);
  // Each of the responses that wait on a connection listens to its socket.
  socket.setMaxListeners(0);
  res.once("finish", end);
  res.once("close", end);
  socket.once("close", end);
}

/** A signal that is aborted when the response cannot be written any more. */
export function abortedUnlessWritten(node: NodeSide): AbortSignal {
  const controller = new AbortController();
  onEnded(node, (written) => {
    if (!written) controller.abort();
  });
  return controller.signal;
}
