import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { ByteRange, ByteStream } from "@telex/core/storage";
import { chunkSize, span } from "./range.ts";
import { type Fs, orNull } from "./files.ts";

// Without O_NONBLOCK, opening a pipe would wait for a writer.
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** An open file and the bytes in it. */
interface OpenFile {
  readonly handle: FileHandle;
  readonly size: number;
}

/** Opens a regular file for reading. Null if there is no file, or if it is a link or a pipe. */
export async function openFile(fs: Fs, path: string): Promise<OpenFile | null> {
  const handle = await orNull(fs.open(path, readFlags), ["ENOENT", "ELOOP"]);
  if (handle === null) return null;
  try {
    const stats = await handle.stat();
    if (stats.isFile()) return { handle, size: stats.size };
  } catch (error) {
    await handle.close();
    throw error;
  }
  await handle.close();
  return null;
}

/**
 * The bytes of an open file. Closes it at the end, if reading fails, and if the reader stops, even before the first byte. This is
 * not a generator, because `return` of a generator that has not begun does nothing.
 */
export function readFile({ handle, size }: OpenFile, range: ByteRange | undefined): ByteStream {
  let { start: position, length: left } = span(size, range);
  const stop = async (): Promise<IteratorReturnResult<undefined>> => {
    left = 0;
    await handle.close();
    return { done: true, value: undefined };
  };
  const next = async (): Promise<IteratorResult<Uint8Array, undefined>> => {
    if (left === 0) return await stop();
    const chunk = await readChunk(handle, position, Math.min(chunkSize, left));
    position += chunk.byteLength;
    left -= Math.min(chunk.byteLength, left);
    // A reader that knows the size may not call again, so the last chunk closes the descriptor.
    if (left === 0) await stop();
    return { done: false, value: chunk };
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: stop }) };
}

async function readChunk(handle: FileHandle, position: number, length: number): Promise<Uint8Array> {
  const chunk = Buffer.allocUnsafeSlow(length);
  try {
    const { bytesRead } = await handle.read(chunk, 0, length, position);
    if (bytesRead > 0) return chunk.subarray(0, bytesRead);
    throw new Error("The file of a blob has become shorter.");
  } catch (error) {
    await handle.close();
    throw error;
  }
}
