import { type Clock, systemClock, TelexError } from "@telex/core";
import { type BlobStore, type ByteStream, assertBlobId } from "@telex/core/storage";
import { copyOf, sliced } from "./range.ts";

/** Options of {@link createMemoryBlobs}. */
export interface MemoryBlobsOptions {
  /** Maximum bytes of all blobs together, incomplete ones included; more is `storage_full`. Default 1 GiB. */
  readonly capacity?: number;
  /** Dates blobs. Default: the machine's. */
  readonly clock?: Clock;
}

interface Kept {
  readonly bytes: Uint8Array;
  readonly createdAt: number;
}

/** The capacity that all blobs share. */
function createRoom(capacity: number) {
  let used = 0;
  return {
    take(bytes: number): void {
      if (used + bytes > capacity) throw new TelexError("storage_full");
      used += bytes;
    },
    give: (bytes: number): void => void (used -= bytes),
  };
}

/** Collects a stream chunk by chunk. Releases the capacity if the stream fails. */
async function collect(stream: ByteStream, room: ReturnType<typeof createRoom>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of stream) {
      room.take(chunk.byteLength);
      size += chunk.byteLength;
      chunks.push(copyOf(chunk));
    }
    return Buffer.concat(chunks);
  } catch (error) {
    room.give(size);
    throw error;
  }
}

/** Stores blobs in memory, for tests and demonstrations. */
export function createMemoryBlobs({ capacity = 2 ** 30, clock = systemClock }: MemoryBlobsOptions = {}): BlobStore {
  const blobs = new Map<string, Kept>();
  const room = createRoom(capacity);
  const drop = (blobId: string): void => {
    room.give(blobs.get(blobId)?.bytes.byteLength ?? 0);
    blobs.delete(blobId);
  };
  return {
    async put(blobId, stream) {
      assertBlobId(blobId);
      const bytes = await collect(stream, room);
      drop(blobId);
      blobs.set(blobId, { bytes, createdAt: clock.now() });
    },
    async open(blobId, range) {
      assertBlobId(blobId);
      const blob = blobs.get(blobId);
      return blob === undefined ? null : sliced(blob.bytes, range);
    },
    async delete(blobId) {
      assertBlobId(blobId);
      drop(blobId);
    },
    async *list() {
      for (const [blobId, { bytes, createdAt }] of blobs) yield { blobId, size: bytes.byteLength, createdAt };
    },
    sweepPartial: () => Promise.resolve(0),
    async probe() {
      room.take(1);
      room.give(1);
    },
  };
}
