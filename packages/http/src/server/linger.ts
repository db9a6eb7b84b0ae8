import type { NodeSide } from "../exchange/node.ts";

/**
 * Reads on, for a while, what is left of a request that is answered before it has arrived as a whole: closing the connection
 * immediately would discard the response before its sender has seen it. Then the connection ends.
 * @param time milliseconds
 */
export function linger({ req, res }: NodeSide, time: number): void {
  if (req.complete) return;
  const isLast = !res.shouldKeepAlive;
  // Node would close the connection as soon as the response is written.
  res.shouldKeepAlive = true;
  res.once("finish", () => {
    const { socket } = req;
    const timer = setTimeout(() => socket.destroy(), time);
    timer.unref();
    req.once("close", () => {
      clearTimeout(timer);
      if (isLast) socket.end();
    });
    // The reader of the stream may let go of it after this; then it flows only if somebody takes its data.
    req.on("data", () => {}).resume();
  });
}
