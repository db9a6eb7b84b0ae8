import type { NodeSide } from "../exchange/node.ts";

/**
 * Reads the rest of a request that was answered before it arrived completely, for `time` at most, and then ends the connection. Closing it
 * immediately would discard the response before the client has read it.
 * @param time milliseconds
 */
export function linger({ req, res }: NodeSide, time: number): void {
  if (req.complete) return;
  const isLast = !res.shouldKeepAlive;
  // Node would close the connection as soon as the response is written.
  res.shouldKeepAlive = true;
  res.once("finish", () => {
    const { socket } = req;
    const timer = setTimeout(() => socket.destroy(), time).unref();
    req.once("close", () => {
      clearTimeout(timer);
      if (isLast) socket.end();
    });
    // The reader of the stream may stop reading after this. Then the stream flows only if it has a listener of `data`.
    req.on("data", () => {}).resume();
  });
}
