import type { Clock } from "@telex/core";
import type { EventSource } from "./event-source.ts";
import type { Reply } from "../response/reply.ts";

/** The headers of an event stream: no cache and no proxy may hold it back. */
export const eventHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "referrer-policy": "no-referrer",
  "x-accel-buffering": "no",
  "x-content-type-options": "nosniff",
} as const;

/** What passes while nothing happens. Without a blank line: some clients take a block without data for an empty event. */
export const comment = ": still here\n";

/**
 * Server-sent events as a body. An event is asked for when the one before has left, so a reader that stops reading stops
 * the source. A comment passes while nothing happens, lest a proxy takes the silence for the end.
 * @param heartbeat milliseconds between two comments
 */
export function eventStream(source: EventSource, clock: Clock, heartbeat: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isWaiting = false;
  let isBegun = false;
  let calm = (): void => {};
  const end = (): void => {
    isWaiting = false;
    calm();
    source.close();
  };
  const begin = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    isBegun = true;
    const beat = (): void => {
      if (isWaiting) controller.enqueue(encoder.encode(comment));
      calm = clock.after(heartbeat, beat);
    };
    calm = clock.after(heartbeat, beat);
    source.pipe({
      write(text) {
        isWaiting = false;
        controller.enqueue(encoder.encode(text));
        return false;
      },
      end() {
        controller.close();
        end();
      },
    });
  };
  return new ReadableStream(
    {
      pull(controller) {
        isWaiting = true;
        // Where the events are written past the stream, it is never read, and costs nothing.
        if (isBegun) source.resume();
        else begin(controller);
      },
      cancel: end,
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
