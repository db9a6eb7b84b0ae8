import type { ServerResponse } from "node:http";
import type { Clock } from "@telex/core";
import { comment, type EventSource, preface } from "./event-stream.ts";
import { onEnded } from "./node.ts";

/** A response to which text is written as fast as it takes it. */
function createWriter(res: ServerResponse, gone: () => void) {
  let wake = (): void => {};
  const state = { isGone: false };
  res.on("drain", () => wake());
  onEnded({ req: res.req, res }, () => {
    state.isGone = true;
    wake();
    gone();
  });
  return {
    state,
    /** Resolves when more may be written, or nothing any more. */
    async write(text: string): Promise<void> {
      if (state.isGone || res.write(text)) return;
      const { promise, resolve } = Promise.withResolvers<void>();
      wake = resolve;
      await promise;
    },
  };
}

/**
 * Writes events to a Node response, whose head was written: what a body of the web's kind does, at half the price.
 * @param heartbeat milliseconds between two comments
 */
export function writeEvents(res: ServerResponse, source: EventSource, clock: Clock, heartbeat: number): void {
  let lead = preface;
  let isWaiting = false;
  let calm = (): void => {};
  const writer = createWriter(res, () => {
    calm();
    source.close();
  });
  const beat = (): void => {
    if (isWaiting) void writer.write(comment);
    calm = clock.after(heartbeat, beat);
  };
  const run = async (): Promise<void> => {
    while (!writer.state.isGone) {
      isWaiting = true;
      const event = await source.next();
      isWaiting = false;
      if (event === null) break;
      const text = lead + event;
      lead = "";
      await writer.write(text);
    }
    res.end();
  };
  if (!writer.state.isGone) calm = clock.after(heartbeat, beat);
  // An answer that begins before its first event says so at once.
  setImmediate(() => {
    if (lead !== "" && !writer.state.isGone) void writer.write(lead);
    lead = "";
  });
  void run();
}
