import type { TelexError } from "@telex/core";
import type { Clock } from "@telex/core";
import type { HttpLimits } from "../limits.ts";
import type { EventSource } from "../events/event-source.ts";
import { createBuffer } from "./reply-buffer.ts";
import { type ReplyParts, type StreamState, finish, goOn, run, readAfter } from "./stream-reader.ts";

/** A reply whose reader can lose it and resume it. */
export interface ReplyStream {
  /** Resolves with the first event. @throws TelexError when the reply fails before any */
  readonly begun: Promise<void>;
  /** True when nothing more will come. */
  readonly isOver: () => boolean;
  /** Bytes that are kept. */
  readonly size: () => number;
  /**
   * The events after the one of this number (0: all), for a reader that replaces any earlier one; null if they are no longer kept or were
   * never sent.
   */
  read(after: number): EventSource | null;
  /** All events, for the first reader. */
  readAll(): EventSource;
  /** Ends the reply with this failure. */
  fail(error: TelexError): void;
}

/** A reply before its first reader. */
const createState = <E>(
  { id, events, abort, encode, encodeFailure, ended }: ReplyParts<E>,
  replyBuffer: number,
): StreamState<E> => ({
  id,
  events,
  abort,
  encode,
  encodeFailure,
  ended,
  buffer: createBuffer(replyBuffer),
  most: 2 * replyBuffer,
  begun: Promise.withResolvers(),
  isOver: false,
  isStopped: false,
  // The caller reads first.
  reader: { sink: null, isReady: false },
  read: 0,
  wake: null,
  endGrace() {},
});

/**
 * A reply that is produced as fast as its reader takes it. Without a reader it continues for a while into a bounded buffer, and is then
 * stopped.
 */
export function createReplyStream<E>(
  parts: ReplyParts<E>,
  limits: Pick<HttpLimits, "replyBuffer" | "replyGrace">,
  clock: Clock,
): ReplyStream {
  const stream = createState(parts, limits.replyBuffer);
  const stop = (): void => {
    stream.isStopped = true;
    stream.abort();
    goOn(stream);
  };
  const leave = (): void => {
    stream.reader = null;
    stream.endGrace = clock.after(limits.replyGrace, stop);
    goOn(stream);
  };
  void run(stream);
  // A reader that does not wait for it reads the failure as an event.
  stream.begun.promise.catch(() => {});
  return {
    begun: stream.begun.promise,
    isOver: () => stream.isOver,
    size: stream.buffer.size,
    read: (after) => (stream.buffer.has(after) ? readAfter(stream, after, leave) : null),
    readAll: () => readAfter(stream, 0, leave),
    fail(error) {
      finish(stream, error);
      stream.abort();
      goOn(stream);
    },
  };
}
