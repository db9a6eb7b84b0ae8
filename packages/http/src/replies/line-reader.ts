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

/** One that reads a reply. */
interface Reader {
  /** Null until it begins, and when it has ended. */
  sink: EventSink | null;
  /** True while it takes more. */
  isReady: boolean;
}

/** A reply between its model and its reader. */
export interface Line<E> extends ReplyParts<E> {
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

/** Gives the reader the events that it lacks, as far as it takes them, and then the end. */
function tell<E>(line: Line<E>): void {
  const { id, buffer, reader } = line;
  if (reader === null) return;
  while (reader.isReady && line.read < buffer.count()) {
    line.read += 1;
    reader.isReady = reader.sink?.write(`id: ${id}:${line.read}\n${buffer.at(line.read) ?? ""}`) ?? false;
  }
  if (line.isOver && line.read === buffer.count()) endOf(reader);
}

export function finish<E>(line: Line<E>, error: TelexError | null): void {
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

export function goOn<E>(line: Line<E>): void {
  if (!mayGoOn(line)) return;
  line.wake?.();
  line.wake = null;
}

/** Takes the events, one whenever there is room for it, and passes them on immediately. */
export async function run<E>(line: Line<E>): Promise<void> {
  try {
    for await (const event of line.events) {
      // After a failure the reader skips the remaining lines, so that the reply can end.
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
export function readAfter<E>(line: Line<E>, after: number, leave: () => void): EventSource {
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
