import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { ByteStream } from "@telex/core/storage";
import { createRandom } from "../testing/index.ts";

/** Bytes that look random and are the same for the same seed. */
export function bytesOf(seed: number, size: number): Buffer {
  const random = createRandom(seed);
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 1) bytes[at] = random.below(256);
  return bytes;
}

/** Bytes in chunks of uneven sizes, empty ones and views into greater buffers among them. */
export async function* streamOf(bytes: Uint8Array, seed = 1): ByteStream {
  const random = createRandom(seed);
  yield new Uint8Array(0);
  for (let at = 0; at < bytes.byteLength;) {
    const end = Math.min(bytes.byteLength, at + 1 + random.below(70_000));
    yield bytes.subarray(at, end);
    at = end;
  }
}

/** All bytes of a stream. */
export async function collect(stream: ByteStream | readonly Uint8Array[]): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Bytes of buffers that are still in use. */
function measureBuffers(collectGarbage: () => void): number {
  collectGarbage();
  // Buffers are freed by another thread, which the next collection waits for.
  collectGarbage();
  const { arrayBuffers, external } = process.memoryUsage();
  return Math.max(arrayBuffers, external);
}

function findCollector(): () => void {
  setFlagsFromString("--expose-gc");
  const collector: unknown = runInNewContext("gc");
  if (typeof collector !== "function") throw new Error("This runtime does not let its garbage be collected.");
  return () => {
    Reflect.apply(collector, undefined, []);
  };
}

/** Bytes of all buffers of this process that are still in use: garbage is collected before they are counted. */
export const heldBuffers = (): number => measureBuffers(findCollector());

/** The memory that a consumer keeps while it reads. */
interface MeasuredStream {
  readonly stream: ByteStream;
  /** Maximum bytes in buffers, above those at the beginning. */
  readonly peak: () => number;
}

/** A stream of `size` bytes in fresh chunks, which measures eight times how much of it is still held. */
export function measuredStream(size: number): MeasuredStream {
  const collectGarbage = findCollector();
  const chunkSize = 65_536;
  const start = measureBuffers(collectGarbage);
  let peak = 0;
  async function* stream(): ByteStream {
    for (let at = 0; at < size; at += chunkSize) {
      if (at % (size / 8) < chunkSize) peak = Math.max(peak, measureBuffers(collectGarbage) - start);
      yield Buffer.alloc(Math.min(chunkSize, size - at), at % 251);
    }
    peak = Math.max(peak, measureBuffers(collectGarbage) - start);
  }
  return { stream: stream(), peak: () => peak };
}
