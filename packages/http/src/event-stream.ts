import type { Clock } from "@telex/core";
import type { Reply } from "./reply.ts";

/** Where the events of one answer come from. */
export interface EventSource {
  /** The text of the next event, with its blank line; null at the end. Never rejects; never called twice at once. */
  next(): Promise<string | null>;
  /** Nobody reads any more: all was read, or the reader is gone. */
  close(): void;
}

/** The headers of an event stream: no cache and no proxy may hold it back. */
export const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

/** What each stream begins with: milliseconds after which a client that lost it comes back. */
export const preface = "retry: 2000\n\n";
/** What passes while nothing happens. */
export const comment = ": still here\n\n";

/**
 * Server-sent events as a body. An event is asked for when the one before has left, so a reader that stops reading stops
 * the source. A comment passes while nothing happens, lest a proxy takes the silence for the end.
 * @param heartbeat milliseconds between two comments
 */
export function eventStream(source: EventSource, clock: Clock, heartbeat: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let lead = preface;
  let isWaiting = false;
  let calm = (): void => {};
  const end = (): void => {
    calm();
    source.close();
  };
  let isBegun = false;
  const begin = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    if (isBegun) return;
    isBegun = true;
    const beat = (): void => {
      if (isWaiting) controller.enqueue(encoder.encode(comment));
      calm = clock.after(heartbeat, beat);
    };
    calm = clock.after(heartbeat, beat);
  };
  return new ReadableStream(
    {
      async pull(controller) {
        // Where the events are written past the stream, it is never read, and costs nothing.
        begin(controller);
        isWaiting = true;
        const event = await source.next();
        isWaiting = false;
        if (event !== null) {
          controller.enqueue(encoder.encode(lead + event));
          lead = "";
          return;
        }
        controller.close();
        end();
      },
      cancel() {
        isWaiting = false;
        end();
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Waits for what an answer begins with, and no longer than until the answer must begin without it.
 * @param time milliseconds
 * @param gone aborted when nobody waits any more
 * @throws whatever the awaited fails with in this time
 */
export async function atTheLatest(
  begun: Promise<unknown>,
  clock: Clock,
  time: number,
  gone?: AbortSignal,
): Promise<void> {
  const late = Promise.withResolvers<void>();
  const calm = clock.after(time, late.resolve);
  gone?.addEventListener("abort", () => late.resolve(), { once: true });
  // Later it fails as an event.
  begun.catch(() => {});
  await Promise.race([begun, late.promise]).finally(calm);
}

/** The body of a failure, to be told within a stream. */
export const textOf = ({ body }: Reply): string => (typeof body === "string" ? body : "");
