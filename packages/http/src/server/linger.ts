import type { H3Event } from "h3";
import { nodeOf } from "./node.ts";

/**
 * Reads on, for a while, what is left of a request that is answered before it has arrived as a whole: closing at once
 * would throw away the answer before its sender has seen it. Then the connection ends.
 * @param time milliseconds
 */
export function linger(event: H3Event, time: number): void {
  const node = nodeOf(event);
  if (node === null || node.req.complete) return;
  const { req, res } = node;
  const isLast = !res.shouldKeepAlive;
  // Node would close the connection as soon as the answer is written.
  res.shouldKeepAlive = true;
  res.once("finish", () => {
    const { socket } = req;
    const timer = setTimeout(() => socket.destroy(), time);
    timer.unref();
    req.once("close", () => {
      clearTimeout(timer);
      if (isLast) socket.end();
    });
    // Whoever was reading may let go of the stream after this; it flows on then only where somebody takes its data.
    req.on("data", () => {}).resume();
  });
}
