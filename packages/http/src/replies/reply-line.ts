import { type Clock, TelexError } from "@telex/core";
import type { HttpLimits } from "../limits.ts";
import type { EventSink, EventSource } from "../events/event-source.ts";
import { createBuffer } from "./reply-buffer.ts";

interface ReplyParts<E> {
  /** Names the reply in the ids of its events. */
  readonly id: string;
  readonly events: AsyncIterable<E>;
  /** Stops the model. The events end soon after. */
  readonly abort: () => void;
  /** An event as the lines `event` and `data`. */
  readonly encode: (event: E) => string;
  readonly encodeFailure: (error: TelexError) => string;
  /** Called once, when nothing more will come. */
  readonly ended: () => void;
}

/** A reply that can be lost by its reader and taken up again. */
export interface ReplyLine {
  /** Resolves with the first event. @throws TelexError when the reply fails before any */
  readonly begun: Promise<void>;
  /** True when nothing more will come. */
  readonly isOver: () => boolean;
  /** Bytes that are kept. */
  readonly size: () => number;
  /**
   * The events after the one of this number (0: all), for a reader that takes the place of any before; null where they
   * are not kept any more or were never sent.
   */
  read(after: number): EventSource | null;
  /** All events, for the first reader. */
  readAll(): EventSource;
  /** Ends the reply with this failure. */
  fail(error: TelexError): void;
}

/** One that reads a reply. */
interface Reader {
  /** Null until it begins, and when it has ended. */
  sink: EventSink | null;
  /** True while it takes more. */
  isReady: boolean;
}

/** A reply between its model and its reader. */
interface Line<E> extends ReplyParts<E> {
  readonly buffer: ReturnType<typeof createBuffer>;
  /** Bytes that are produced without a reader. */
  readonly most: number;
  readonly begun: PromiseWithResolvers<void>;
  isOver: boolean;
  isStopped: boolean;
  /** Null after one has left. */
  reader: Reader | null;
  /** The number of the last event that a reader has had. */
  read: number;
  /** Lets the model go on, where it waits. */
  wake: (() => void) | null;
  endGrace: () => void;
}

/** Ends the events of a reader. */
function endOf(reader: Reader): void {
  const { sink } = reader;
  reader.sink = null;
  sink?.end();
}

/** Gives the reader what it has not had, as far as it takes it; the end after all. */
function tell<E>(line: Line<E>): void {
  const { id, buffer, reader } = line;
  if (reader === null) return;
  while (reader.isReady && line.read < buffer.count()) {
    line.read += 1;
    reader.isReady = reader.sink?.write(`id: ${id}:${line.read}\n${buffer.at(line.read) ?? ""}`) ?? false;
  }
  if (line.isOver && line.read === buffer.count()) endOf(reader);
}

function finish<E>(line: Line<E>, error: TelexError | null): void {
  if (line.isOver) return;
  line.isOver = true;
  if (error !== null) line.buffer.push(line.encodeFailure(error), line.read);
  line.endGrace();
  line.ended();
  if (error === null) line.begun.resolve();
  else line.begun.reject(error);
  tell(line);
}

/** As fast as it is read; without a reader as far as the buffer allows; once the reply is stopped or lost, to its end. */
const mayGoOn = <E>({ isOver, isStopped, reader, buffer, most }: Line<E>): boolean =>
  isOver || isStopped || (reader?.isReady ?? buffer.size() < most);

function goOn<E>(line: Line<E>): void {
  if (!mayGoOn(line)) return;
  line.wake?.();
  line.wake = null;
}

/** Takes the events, one whenever there is room for it, and passes them on immediately. */
async function run<E>(line: Line<E>): Promise<void> {
  try {
    for await (const event of line.events) {
      // After a failure what is left goes by, so that the reply comes to its end.
      if (line.isOver) continue;
      line.buffer.push(line.encode(event), line.read);
      line.begun.resolve();
      tell(line);
      if (!mayGoOn(line)) await new Promise<void>((resolve) => (line.wake = resolve));
    }
    finish(line, null);
  } catch (cause) {
    finish(line, TelexError.from(cause));
  }
}

/** Replaces the previous reader. The replaced reader does not count as having left. */
function readAfter<E>(line: Line<E>, after: number, leave: () => void): EventSource {
  const me: Reader = { sink: null, isReady: false };
  line.endGrace();
  if (line.reader !== null) endOf(line.reader);
  line.reader = me;
  line.read = after;
  const resume = (): void => {
    me.isReady = true;
    if (line.reader !== me) return;
    tell(line);
    goOn(line);
  };
  return {
    pipe(sink) {
      me.sink = sink;
      if (line.reader === me) resume();
      else sink.end();
    },
    resume,
    close() {
      me.sink = null;
      if (line.reader === me && !line.isOver) leave();
    },
  };
}

/** A reply before its first reader. */
const createLine = <E>(
  { id, events, abort, encode, encodeFailure, ended }: ReplyParts<E>,
  replyBuffer: number,
): Line<E> => ({
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
 * A reply that is produced, while it is read, as its reader takes it. Without a reader it goes on for a while into a
 * bounded buffer, then it is stopped.
 */
export function createReplyLine<E>(
  parts: ReplyParts<E>,
  limits: Pick<HttpLimits, "replyBuffer" | "replyGrace">,
  clock: Clock,
): ReplyLine {
  const line = createLine(parts, limits.replyBuffer);
  const stop = (): void => {
    line.isStopped = true;
    line.abort();
    goOn(line);
  };
  const leave = (): void => {
    line.reader = null;
    line.endGrace = clock.after(limits.replyGrace, stop);
    goOn(line);
  };
  void run(line);
  // A reader that does not wait for it reads the failure as an event.
  line.begun.promise.catch(() => {});
  return {
    begun: line.begun.promise,
    isOver: () => line.isOver,
    size: line.buffer.size,
    read: (after) => (line.buffer.has(after) ? readAfter(line, after, leave) : null),
    readAll: () => readAfter(line, 0, leave),
    fail(error) {
      finish(line, error);
      line.abort();
      goOn(line);
    },
  };
}
