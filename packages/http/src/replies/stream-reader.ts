import { TelexError } from "@telex/core";
import type { EventSink, EventSource } from "../events/event-source.ts";
import type { createBuffer } from "./reply-buffer.ts";

export interface ReplyParts<E> {
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

/** A client that reads a reply. */
interface Reader {
  /** Null until it begins, and when it has ended. */
  sink: EventSink | null;
  /** True while it takes more. */
  isReady: boolean;
}

/** A reply between its model and its reader. */
export interface StreamState<E> extends ReplyParts<E> {
  readonly buffer: ReturnType<typeof createBuffer>;
  /** Maximum bytes that are produced without a reader. */
  readonly most: number;
  readonly begun: PromiseWithResolvers<void>;
  isOver: boolean;
  isStopped: boolean;
  /** Null after one has left. */
  reader: Reader | null;
  /** The number of the last event that a reader has had. */
  read: number;
  /** Lets the model continue, if it waits. */
  wake: (() => void) | null;
  endGrace: () => void;
}

/** Ends the events of a reader. */
function endOf(reader: Reader): void {
  const { sink } = reader;
  reader.sink = null;
  sink?.end();
}

/** Passes the reader the events that it lacks, as many as it accepts, and then the end. */
function tell<E>(stream: StreamState<E>): void {
  const { id, buffer, reader } = stream;
  if (reader === null) return;
  while (reader.isReady && stream.read < buffer.count()) {
    stream.read += 1;
    reader.isReady = reader.sink?.write(`id: ${id}:${stream.read}\n${buffer.at(stream.read) ?? ""}`) ?? false;
  }
  if (stream.isOver && stream.read === buffer.count()) endOf(reader);
}

export function finish<E>(stream: StreamState<E>, error: TelexError | null): void {
  if (stream.isOver) return;
  stream.isOver = true;
  if (error !== null) stream.buffer.push(stream.encodeFailure(error), stream.read);
  stream.endGrace();
  stream.ended();
  if (error === null) stream.begun.resolve();
  else stream.begun.reject(error);
  tell(stream);
}

/** As fast as it is read; without a reader as far as the buffer allows; once the reply is stopped or lost, to its end. */
const canContinue = <E>({ isOver, isStopped, reader, buffer, most }: StreamState<E>): boolean =>
  isOver || isStopped || (reader?.isReady ?? buffer.size() < most);

export function goOn<E>(stream: StreamState<E>): void {
  if (!canContinue(stream)) return;
  stream.wake?.();
  stream.wake = null;
}

/** Takes the events, one whenever there is room for it, and passes them on immediately. */
export async function run<E>(stream: StreamState<E>): Promise<void> {
  try {
    for await (const event of stream.events) {
      // After a failure the reader skips the remaining lines, so that the reply can end.
      if (stream.isOver) continue;
      stream.buffer.push(stream.encode(event), stream.read);
      stream.begun.resolve();
      tell(stream);
      if (!canContinue(stream)) await new Promise<void>((resolve) => (stream.wake = resolve));
    }
    finish(stream, null);
  } catch (cause) {
    finish(stream, TelexError.from(cause));
  }
}

/** Replaces the previous reader. The replaced reader does not count as having left. */
export function readAfter<E>(stream: StreamState<E>, after: number, leave: () => void): EventSource {
  const me: Reader = { sink: null, isReady: false };
  stream.endGrace();
  if (stream.reader !== null) endOf(stream.reader);
  stream.reader = me;
  stream.read = after;
  const resume = (): void => {
    me.isReady = true;
    if (stream.reader !== me) return;
    tell(stream);
    goOn(stream);
  };
  return {
    pipe(sink) {
      me.sink = sink;
      if (stream.reader === me) resume();
      else sink.end();
    },
    resume,
    close() {
      me.sink = null;
      if (stream.reader === me && !stream.isOver) leave();
    },
  };
}
