import { createInflate, type Inflate } from "node:zlib";

/** Bytes that are compressed or uncompressed in one step: fewer steps cost less, and larger ones leave the cache. */
const compressed = 262_144;
const uncompressed = 524_288;

/**
 * Uncompresses data with zlib, outside the event loop's thread.
 * @param pieces the compressed data, which is only copied piece by piece into one buffer
 * @param take gets the uncompressed data, which is valid only during the call
 * @throws what `take` throws, and errors of zlib
 */
export async function inflate(pieces: readonly Uint8Array[], take: (chunk: Uint8Array) => void): Promise<void> {
  const stream = createInflate({ chunkSize: uncompressed });
  // Errors are thrown below, too. Bytes after the end of the data are not written: the stream is closed then.
  void feed(stream, pieces).catch(() => undefined);
  await drain(stream, take);
}

async function feed(stream: Inflate, pieces: readonly Uint8Array[]): Promise<void> {
  for (const batch of batchesOf(pieces)) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    stream.write(batch, (error) => (error ? reject(error) : resolve()));
    await promise;
  }
  stream.end();
}

/** PNG files have many small pieces. A batch is valid until the next one. */
function* batchesOf(pieces: readonly Uint8Array[]): Generator<Uint8Array> {
  const batch = new Uint8Array(compressed);
  let filled = 0;
  for (const piece of pieces) {
    for (let at = 0; at < piece.length;) {
      const some = piece.subarray(at, at + compressed - filled);
      batch.set(some, filled);
      at += some.length;
      filled += some.length;
      if (filled < compressed) continue;
      yield batch;
      filled = 0;
    }
  }
  if (filled > 0) yield batch.subarray(0, filled);
}

async function drain(stream: Inflate, take: (chunk: Uint8Array) => void): Promise<void> {
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    take(chunk);
    // zlib fills its buffer before it takes another one. If it is freed immediately, the next chunk uses the same memory.
    const isFull = chunk.byteOffset + chunk.byteLength === uncompressed;
    if (isFull && chunk.buffer instanceof ArrayBuffer) chunk.buffer.transfer(0);
  }
}
