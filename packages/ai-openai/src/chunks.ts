import { createParser } from "eventsource-parser";
import { type Chunk, readChunk } from "./chunk.ts";
import { ServiceError } from "./service-error.ts";

/** Bytes that may come without an event among them, and characters of one event. */
const silentSize = 1_000_000;

/** Events that may come without a piece of the reply or a thought among them. */
const emptyEvents = 10_000;

/** What a stream says when it is over. */
const last: Chunk = { delta: "", calls: [], isProgress: false, finish: null, usage: null, isLast: true };

/**
 * Reads the events of a stream out of its bytes, until it says that it is over. The returned function throws
 * {@link ServiceError} where they are none, or too much comes that holds nothing; what came before has been taken then.
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
