import { createParser } from "eventsource-parser";
import { type Chunk, readChunk } from "./chunk.ts";
import { ServiceError } from "./service-error.ts";

/** Maximum bytes without an event among them, and maximum characters of one event. */
const silentSize = 1_000_000;

/** Maximum number of consecutive events without a piece of the reply or of its reasoning. */
const emptyEvents = 10_000;

/** The chunk that ends a stream. */
const last: Chunk = { delta: "", calls: [], isProgress: false, finish: null, usage: null, isLast: true };

/**
 * Reads the events of a stream from its bytes, until the stream ends. The returned function throws {@link ServiceError} if the
 * bytes are not events, or if too many of them are empty. It has then already passed on the events before the fault.
 */
export function createChunkReader(take: (chunk: Chunk) => void): (bytes: Uint8Array) => void {
  let silent = 0;
  let empty = 0;
  let isOver = false;
  const decoder = new TextDecoder();
  const parser = createParser({
    maxBufferSize: silentSize,
    onEvent({ data }) {
      if (isOver) return;
      silent = 0;
      const chunk = data === "[DONE]" ? last : readChunk(data);
      isOver = chunk.isLast;
      empty = chunk.isProgress ? 0 : empty + 1;
      if (empty > emptyEvents) throw new ServiceError("The AI service sends no pieces.");
      take(chunk);
    },
  });
  return (bytes) => {
    silent += bytes.length;
    try {
      parser.feed(decoder.decode(bytes, { stream: true }));
    } catch (cause) {
      throw cause instanceof ServiceError ? cause : new ServiceError("The AI service sent an event that is too large.");
    }
    if (silent > silentSize) throw new ServiceError("The AI service sends no events.");
  };
}
