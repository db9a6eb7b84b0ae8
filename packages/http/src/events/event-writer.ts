import type { ServerResponse } from "node:http";
import { PassThrough, Readable, type Writable } from "node:stream";
import { onEnded } from "../exchange/node.ts";
import type { EventBody } from "./event-source.ts";

/** Sent while there are no events. Without a blank line: some clients mistake a block without data for an empty event. */
const comment = ": still here\n";

/** The destination of events. */
interface Output {
  readonly stream: Writable;
  /** Calls back when the stream accepts nothing more: all was written, or its reader is gone. */
  readonly onEnded: (ended: () => void) => void;
  /** Called before each event. */
  readonly beforeWrite: () => void;
}

/**
 * Writes the events of a response. A comment is sent while there are no events, so that no proxy mistakes the silence for the end.
 * Returns false if the stream has already ended.
 */
function writeAll({ source, clock, heartbeat }: EventBody, output: Output): boolean {
  const { stream, beforeWrite } = output;
  let isGone = false;
  let calm = (): void => {};
  output.onEnded(() => {
    isGone = true;
    calm();
    source.close();
  });
  if (isGone) return false;
  const beat = (): void => {
    if (!stream.writableNeedDrain) stream.write(comment);
    calm = clock.after(heartbeat, beat);
  };
  calm = clock.after(heartbeat, beat);
  stream.on("drain", () => source.resume());
  source.pipe({
    write(text) {
      beforeWrite();
      return stream.write(text);
    },
    end: () => void stream.end(),
  });
  return true;
}

/**
 * Holds back the writes of one tick of the event loop, so that they leave together, and after everything that was read in the tick.
 * The socket holds them back: a corked response would send its end before its data (Node 24).
 */
function holdBack(res: ServerResponse): () => void {
  let isCorked = false;
  return () => {
    if (isCorked) return;
    const { socket } = res;
    isCorked = true;
    socket?.cork();
    setImmediate(() => {
      isCorked = false;
      socket?.uncork();
    });
  };
}

/** Writes events to a Node response whose head was written. This takes half the time of a web stream. */
export function writeEvents(res: ServerResponse, body: EventBody): void {
  const isWriting = writeAll(body, {
    stream: res,
    onEnded: (ended) => onEnded({ req: res.req, res }, ended),
    beforeWrite: holdBack(res),
  });
  // A response that begins before its first event says so immediately.
  if (isWriting) setImmediate(() => res.writableEnded || res.destroyed || res.flushHeaders());
}

/** Events as a web stream. It takes the next event when the previous one was read. */
export function eventStream(body: EventBody): ReadableStream<Uint8Array> {
  const stream = new PassThrough({ highWaterMark: 0 });
  writeAll(body, { stream, onEnded: (ended) => void stream.once("close", ended), beforeWrite: () => undefined });
  return Readable.toWeb(stream, { strategy: { highWaterMark: 0 } });
}
