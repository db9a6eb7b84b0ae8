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

/**
 * A reply between its model and its readers. While it is read, an event is produced when it is asked for. Without a reader
 * it goes on for a while into a bounded buffer, then it is stopped.
 */
export function createReplyLine<E>(
  { id, events, abort, encode, encodeFailure, ended }: ReplyParts<E>,
  limits: Pick<Limits, "replyBuffer" | "replyGrace">,
  clock: Clock,
): ReplyLine {
  const buffer = createBuffer(limits.replyBuffer);
  let isOver = false;
  let isStopped = false;
  let failure: TelexError | null = null;
  let pulling: Promise<void> | null = null;
  let reader = 0;
  let read = 0;
  let endGrace = (): void => {};

  const finish = (error: TelexError | null): void => {
    if (isOver) return;
    isOver = true;
    failure = error;
    if (error !== null) buffer.push(encodeFailure(error), read);
    endGrace();
    ended();
  };
  const take = async (): Promise<void> => {
    try {
      const { done = false, value } = await events.next();
      if (done) finish(null);
      else if (!isOver) buffer.push(encode(value), read);
    } catch (cause) {
      finish(TelexError.from(cause));
    }
  };
  const pull = (): Promise<void> => (pulling ??= take().finally(() => (pulling = null)));
  const runOn = async (): Promise<void> => {
    const alone = reader;
    while (!isOver && (isStopped || (reader === alone && buffer.size < 2 * limits.replyBuffer))) await pull();
  };
  const stop = (): void => {
    isStopped = true;
    abort();
    void runOn();
  };
  const leave = (me: number): void => {
    if (me !== reader || isOver) return;
    reader += 1;
    endGrace = clock.after(limits.replyGrace, stop);
    void runOn();
  };
  const readAfter = (after: number): EventSource => {
    endGrace();
    reader += 1;
    const me = reader;
    let at = after;
    return {
      async next() {
        at += 1;
        while (at > buffer.count && !isOver && me === reader) await pull();
        const text = me === reader ? buffer.at(at) : undefined;
        if (text === undefined) return null;
        read = at;
        return `id: ${id}:${at}\n${text}`;
      },
      close: () => leave(me),
    };
  };
  const begun = pull().then(() => {
    if (failure !== null) throw failure;
  });
  // Whoever does not wait for it reads the failure as an event.
  begun.catch(() => {});
  return {
    begun,
    get isOver() {
      return isOver;
    },
    get size() {
      return buffer.size;
    },
    read: (after) => (buffer.has(after) ? readAfter(after) : null),
    readAll: () => readAfter(0),
    fail(error) {
      const rest = async (): Promise<void> => {
        while (!(await events.next()).done);
      };
      finish(error);
      abort();
      rest().catch(() => {});
    },
  };
}
