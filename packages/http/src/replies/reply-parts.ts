import type { Clock, ReplyAsk, ReplyPart } from "@telex/core";
import type { EventSource } from "../events/event-source.ts";
import type { ReplyStream } from "./reply-stream.ts";

/** Milliseconds for which a question waits for the next event. */
const wait = 1000;
/** Maximum characters of one answer: the next question gets the rest. */
const maxPart = 64 * 1024;

/** The readers of a reply on other servers. */
interface Readers {
  asker: string;
  /** Those that another one has replaced. */
  readonly earlier: Set<string>;
  /** Cancels the last question. */
  replace: () => void;
}

/** The next part, with those that arrived in the same tick. */
function takePart(source: EventSource, stream: ReplyStream, clock: Clock) {
  const { promise, resolve } = Promise.withResolvers<ReplyPart | null>();
  const texts: string[] = [];
  let size = 0;
  let isDone = false;
  let isReplaced = false;
  const done = (isOver: boolean): void => {
    if (isDone) return;
    isDone = true;
    calm();
    source.close();
    resolve(isReplaced ? null : { texts, isOver });
  };
  const calm = clock.after(wait, () => done(false));
  source.pipe({
    write(text) {
      texts.push(text);
      size += text.length;
      if (texts.length === 1) setImmediate(() => done(stream.isOver() && size < maxPart));
      return size < maxPart;
    },
    end: () => done(true),
  });
  return { promise, replace: () => void (isReplaced = true) };
}

/**
 * Answers readers of other servers. A question reads like a reader that leaves after the next events; the model continues while the reader
 * asks again.
 */
export function createReplyParts(clock: Clock) {
  const readers = new WeakMap<ReplyStream, Readers>();
  return async ({ asker, after }: ReplyAsk, stream: ReplyStream): Promise<ReplyPart | null> => {
    const reader = readers.get(stream) ?? { asker, earlier: new Set(), replace: () => undefined };
    // A replaced reader with a dead connection asks for a while, and a bus may be late: it does not get the reply back.
    if (reader.earlier.has(asker)) return { texts: [], isOver: true };
    // A question that came twice, or was asked again, is answered once. Another reader ends the one before.
    if (reader.asker === asker) reader.replace();
    const source = stream.read(after);
    if (source === null) return null;
    if (reader.asker !== asker) reader.earlier.add(reader.asker);
    reader.asker = asker;
    readers.set(stream, reader);
    const { promise, replace } = takePart(source, stream, clock);
    reader.replace = replace;
    return promise;
  };
}
