import type { Readable } from "node:stream";
import { createParser } from "eventsource-parser";
import type { OpenAiTimeouts } from "./options.ts";
import { type Chunk, readChunk } from "./chunk.ts";
import { networkError, ServiceError } from "./service-error.ts";

/** Characters that may come without an event among them, and of one event. */
const silentSize = 1_000_000;

/** Events that may come without a piece of the reply or a thought among them. */
const emptyEvents = 10_000;

/** A parser for the bytes of a stream: what each piece of it completes. */
function createReader() {
  let events: string[] = [];
  let silent = 0;
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: silentSize,
    onEvent: ({ data }) => void events.push(data),
  });
  return (bytes: Uint8Array): readonly string[] => {
    silent += bytes.length;
    try {
      parser.feed(decoder.decode(bytes, { stream: true }));
    } catch {
      throw new ServiceError("The AI service sent an event that is too large.");
    }
    if (events.length === 0 && silent > silentSize) throw new ServiceError("The AI service sends no events.");
    if (events.length > 0) silent = 0;
    const complete = events;
    events = [];
    return complete;
  };
}

/** Ends an attempt in which a service says nothing for too long. Only the time counts in which it is waited for. */
export interface Watchdog {
  /** Aborted when the service is late. */
  readonly signal: AbortSignal;
  /** Why the signal was aborted. */
  readonly failure: ServiceError | null;
  /** A piece of the reply has come. */
  heard(): void;
  watch<T>(awaited: Promise<T>): Promise<T>;
  /** The attempt is over. */
  end(): void;
}

/** A watchdog for one attempt. One timer serves all of it: setting one for each piece would cost more than reading it. */
export function createWatchdog({ firstDelta, betweenDeltas }: Required<OpenAiTimeouts>): Watchdog {
  const stopping = new AbortController();
  let failure: ServiceError | null = null;
  let left = firstDelta;
  /** When the waiting began that goes on; null while the reader is waited for. */
  let since: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let due = Infinity;
  const waited = (): number => (since === null ? 0 : performance.now() - since);
  const lookIn = (time: number): void => {
    clearTimeout(timer);
    timer = setTimeout(look, time);
    due = performance.now() + time;
  };
  const look = (): void => {
    const rest = left - waited();
    if (rest > 0) {
      lookIn(rest);
      return;
    }
    failure = new ServiceError("The AI service does not go on.", { isTransient: true });
    stopping.abort(failure);
  };
  return {
    signal: stopping.signal,
    get failure() {
      return failure;
    },
    heard() {
      left = betweenDeltas;
    },
    async watch(awaited) {
      since = performance.now();
      if (due > since + left + 1) lookIn(left);
      try {
        return await awaited;
      } finally {
        left -= waited();
        since = null;
      }
    },
    end: () => clearTimeout(timer),
  };
}

/** What a stream says when it is over. */
const last: Chunk = { delta: "", isProgress: false, finish: null, usage: null, isLast: true };

/** Reads events, each when it is asked for; fails once too many have come that hold nothing. */
function createChunks(watchdog: Watchdog) {
  let empty = 0;
  const state = { isOver: false };
  return {
    state,
    *of(events: readonly string[]): Generator<Chunk> {
      for (const data of events) {
        const chunk = data === "[DONE]" ? last : readChunk(data);
        if (chunk.isProgress) watchdog.heard();
        empty = chunk.isProgress ? 0 : empty + 1;
        if (empty > emptyEvents) throw new ServiceError("The AI service sends no pieces.");
        yield chunk;
        state.isOver = chunk.isLast;
        if (chunk.isLast) return;
      }
    },
  };
}

/**
 * The events of a stream as they come, those of one read together, until it says that it is over or ends. Iterating over
 * them throws, too.
 * @throws ServiceError
 */
export async function* chunksOf(body: Readable, watchdog: Watchdog): AsyncGenerator<Iterable<Chunk>> {
  const read = createReader();
  const chunks = createChunks(watchdog);
  const iterator: AsyncIterator<Uint8Array> = body.iterator();
  try {
    while (!chunks.state.isOver) {
      const next = await watchdog.watch(iterator.next());
      if (next.done === true) return;
      yield chunks.of(read(next.value));
    }
  } catch (cause) {
    throw watchdog.failure ?? networkError(cause);
  } finally {
    body.destroy();
  }
}
