import { type Clock, type Limits, TelexError } from "@telex/core";
import type { EventSource } from "./event-stream.ts";

/** What a reply is made of. */
export interface ReplyParts<E> {
  /** Names the reply in the ids of its events. */
  readonly id: string;
  readonly events: AsyncIterator<E>;
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
  readonly isOver: boolean;
  /** Bytes that are kept. */
  readonly size: number;
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

/** Events that were produced, the oldest let go once their bytes exceed a limit and a reader has had them. */
function createBuffer(limit: number) {
  const kept: string[] = [];
  let first = 1;
  let size = 0;
  return {
    get count() {
      return first + kept.length - 1;
    },
    get size() {
      return size;
    },
    has: (after: number): boolean => after >= first - 1 && after < first + kept.length,
    at: (number: number): string | undefined => kept[number - first],
    push(text: string, read: number): void {
      kept.push(text);
      size += text.length;
      while (size > limit && first <= read) {
        size -= kept.shift()?.length ?? 0;
        first += 1;
      }
    },
  };
}

/** A reply between its model and its readers. */
interface Line<E> extends ReplyParts<E> {
  readonly buffer: ReturnType<typeof createBuffer>;
  isOver: boolean;
  isStopped: boolean;
  failure: TelexError | null;
  pulling: Promise<void> | null;
  /** Names the reader; the one before has lost its place. */
  reader: number;
  /** The number of the last event that a reader has had. */
  read: number;
  endGrace: () => void;
}

function finish<E>(line: Line<E>, error: TelexError | null): void {
  if (line.isOver) return;
  line.isOver = true;
  line.failure = error;
  if (error !== null) line.buffer.push(line.encodeFailure(error), line.read);
  line.endGrace();
  line.ended();
}

async function take<E>(line: Line<E>): Promise<void> {
  try {
    const next = await line.events.next();
    if (next.done === true) finish(line, null);
    else if (!line.isOver) line.buffer.push(line.encode(next.value), line.read);
  } catch (cause) {
    finish(line, TelexError.from(cause));
  } finally {
    line.pulling = null;
  }
}

/** Gets one more event; of several who ask at once, all wait for the same one. */
const pull = <E>(line: Line<E>): Promise<void> => (line.pulling ??= take(line));

/** Goes on without a reader, as far as the buffer allows; once the reply is stopped, to its end. */
async function runOn<E>(line: Line<E>, most: number): Promise<void> {
  const alone = line.reader;
  while (!line.isOver && (line.isStopped || (line.reader === alone && line.buffer.size < most))) await pull(line);
}

async function nextOf<E>(line: Line<E>, me: number, number: number): Promise<string | null> {
  while (number > line.buffer.count && !line.isOver && me === line.reader) await pull(line);
  const text = me === line.reader ? line.buffer.at(number) : undefined;
  if (text === undefined) return null;
  line.read = number;
  return `id: ${line.id}:${number}\n${text}`;
}

/** Stops the model and lets what is left of the events go by, so that the reply comes to its end. */
async function drain<E>({ abort, events }: Line<E>): Promise<void> {
  abort();
  try {
    for (let next = await events.next(); next.done !== true; next = await events.next());
  } catch {
    // Nobody is left to be told.
  }
}

/** Resolves with the first event. */
async function begin<E>(line: Line<E>): Promise<void> {
  await pull(line);
  if (line.failure !== null) throw line.failure;
}

/**
 * A reply that is produced, while it is read, as its events are asked for. Without a reader it goes on for a while into a
 * bounded buffer, then it is stopped.
 */
export function createReplyLine<E>(
  parts: ReplyParts<E>,
  limits: Pick<Limits, "replyBuffer" | "replyGrace">,
  clock: Clock,
): ReplyLine {
  const line: Line<E> = {
    ...parts,
    buffer: createBuffer(limits.replyBuffer),
    isOver: false,
    isStopped: false,
    failure: null,
    pulling: null,
    reader: 0,
    read: 0,
    endGrace() {},
  };
  const most = 2 * limits.replyBuffer;
  const stop = (): void => {
    line.isStopped = true;
    line.abort();
    void runOn(line, most);
  };
  const leave = (me: number): void => {
    if (me !== line.reader || line.isOver) return;
    line.reader += 1;
    line.endGrace = clock.after(limits.replyGrace, stop);
    void runOn(line, most);
  };
  const readAfter = (after: number): EventSource => {
    line.endGrace();
    line.reader += 1;
    const me = line.reader;
    let at = after;
    return { next: () => nextOf(line, me, (at += 1)), close: () => leave(me) };
  };
  const begun = begin(line);
  // Whoever does not wait for it reads the failure as an event.
  begun.catch(() => {});
  return {
    begun,
    get isOver() {
      return line.isOver;
    },
    get size() {
      return line.buffer.size;
    },
    read: (after) => (line.buffer.has(after) ? readAfter(after) : null),
    readAll: () => readAfter(0),
    fail(error) {
      finish(line, error);
      void drain(line);
    },
  };
}
