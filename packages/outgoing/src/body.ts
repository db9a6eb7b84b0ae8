import type { IncomingMessage } from "node:http";
import { pipeline, type Readable } from "node:stream";
import { createBrotliDecompress, createGunzip } from "node:zlib";
import { OutgoingError, outgoingErrorOf } from "./error.ts";

/** The decompressed bytes of a response. */
function unpacked(response: IncomingMessage): Readable {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase();
  if (encoding === "identity" || encoding === "") return response;
  const decoder =
    encoding === "gzip" || encoding === "x-gzip" ? createGunzip() : encoding === "br" ? createBrotliDecompress() : null;
  if (decoder === null) throw new OutgoingError("unreadable");
  // The reader of the decoder gets its errors, and those of the connection.
  return pipeline(response, decoder, () => {});
}

/**
 * The decompressed body of a response, in pieces.
 * @param max bytes, counted while they are decompressed
 * @throws OutgoingError `too_large`, `unreadable`, `timeout`
 */
export async function* readChunks(
  response: IncomingMessage,
  max: number,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let size = 0;
  if (Number(response.headers["content-length"] ?? 0) > max) throw new OutgoingError("too_large");
  try {
    for await (const chunk of unpacked(response) as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength;
      if (size > max) throw new OutgoingError("too_large");
      yield chunk;
    }
  } catch (error) {
    throw outgoingErrorOf(error, signal.aborted ? "timeout" : "unreadable");
  }
}

/**
 * The decompressed body of a response as a whole.
 * @throws OutgoingError as {@link readChunks}
 */
export async function readBody(response: IncomingMessage, max: number, signal: AbortSignal): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(response, max, signal)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
