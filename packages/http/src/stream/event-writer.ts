import type { ServerResponse } from "node:http";
import type { Clock } from "@telex/core";
import type { EventSource } from "./event-source.ts";
import { comment } from "./event-stream.ts";
import { onEnded } from "../server/node.ts";

/**
 * Writes events to a Node response, whose head was written: what a body of the web's kind does, at half the price.
 * @param heartbeat milliseconds between two comments
 */
export function writeEvents(res: ServerResponse, source: EventSource, clock: Clock, heartbeat: number): void {
  let isGone = false;
  let calm = (): void => {};
  onEnded({ req: res.req, res }, () => {
    isGone = true;
    calm();
    source.close();
  });
  if (isGone) return;
  const beat = (): void => {
    if (!res.writableNeedDrain) res.write(comment);
    calm = clock.after(heartbeat, beat);
  };
  calm = clock.after(heartbeat, beat);
  res.on("drain", () => source.resume());
  // An answer that begins before its first event says so at once.
  setImmediate(() => {
    if (!isGone) res.flushHeaders();
  });
  let isCorked = false;
  // What comes in one turn of the loop leaves together, and after all that was read in it. The socket holds it back: a
  // response that does would send its end before what it holds (Node 24).
  const holdBack = (): void => {
    const { socket } = res;
    isCorked = true;
    socket?.cork();
    setImmediate(() => {
      isCorked = false;
      socket?.uncork();
    });
  };
  source.pipe({
    write(text) {
      if (!isCorked) holdBack();
      return res.write(text);
    },
    end: () => void res.end(),
  });
}
