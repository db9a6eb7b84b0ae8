import type { ByteRange } from "@telex/core/storage";

/** Maximum bytes of one chunk. */
export const chunkSize = 256 * 1024;

/** Resolves a range against a size: `length` bytes from `start`. The length is 0 if the range begins after the end. */
export function span(size: number, range: ByteRange | undefined): { readonly start: number; readonly length: number } {
  const start = range === undefined ? 0 : Math.max(0, range.start);
  const end = range === undefined ? size - 1 : Math.min(size - 1, range.end);
  return { start, length: Math.max(0, end - start + 1) };
}

/** The same bytes in a buffer of their own. (`slice` of a Buffer would share it.) */
export const copyOf = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

/** A range of bytes in chunks. Each chunk is a copy, because a reader may transfer its buffer, which detaches the original. */
export async function* sliced(bytes: Uint8Array, range: ByteRange | undefined): AsyncGenerator<Uint8Array> {
  const { start, length } = span(bytes.byteLength, range);
  for (let at = start; at < start + length; at += chunkSize) {
    yield copyOf(bytes.subarray(at, Math.min(at + chunkSize, start + length)));
  }
}
