import type { Clock } from "@telex/core";

/** The headers of an event stream: no cache and no proxy may delay it. */
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

/** The source of the events of one response. */
export interface EventSource {
  /** Passes the events to this sink as they arrive. Called once. */
  pipe(sink: EventSink): void;
  /** Called when the sink accepts more. */
  resume(): void;
  /** Stops reading, at the end of the events or because the reader is gone. The sink is not used afterwards. */
  close(): void;
}

/** Server-sent events as the body of a response. */
export interface EventBody {
  readonly source: EventSource;
  readonly clock: Clock;
  /** Milliseconds between comments, which are sent while there are no events. */
  readonly heartbeat: number;
}

/**
 * The texts as events. They must not fail. The next one is requested when the sink has taken the previous one.
 * @param close called when the reader is gone, or has read all
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
