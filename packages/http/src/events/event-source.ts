import type { Clock } from "@telex/core";

/** The headers of an event stream: no cache and no proxy may hold it back. */
export const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

/** Takes the events of a response. */
export interface EventSink {
  /** Takes the text of an event, with its blank line. False if the source must wait before the next event. */
  write(text: string): boolean;
  /** Ends the events. */
  end(): void;
}

/** Where the events of one answer come from. */
export interface EventSource {
  /** Gives the events to this sink as they come. Called once. */
  pipe(sink: EventSink): void;
  /** The sink takes more. */
  resume(): void;
  /** Ends the reading, at the end of the events or because the reader is gone. The sink is not used afterwards. */
  close(): void;
}

/** Server-sent events as the body of a response. */
export interface EventBody {
  readonly source: EventSource;
  readonly clock: Clock;
  /** Milliseconds between two comments, which pass while nothing happens. */
  readonly heartbeat: number;
}

/**
 * The texts as events. They must not fail; one is asked for when the sink has taken the one before.
 * @param close the reader is gone, or has read all
 */
export function sourceOf(texts: AsyncIterable<string>, close: () => void): EventSource {
  let isClosed = false;
  let goOn: (() => void) | null = null;
  const resume = (): void => {
    goOn?.();
    goOn = null;
  };
  const run = async (sink: EventSink): Promise<void> => {
    for await (const text of texts) {
      if (isClosed) return;
      if (!sink.write(text)) await new Promise<void>((resolve) => (goOn = resolve));
    }
    if (!isClosed) sink.end();
  };
  return {
    pipe: (sink) => void run(sink),
    resume,
    close() {
      if (isClosed) return;
      isClosed = true;
      close();
      resume();
    },
  };
}
