import type { BlobStore, ByteStream } from "@telex/core/storage";
import { collect, streamOf } from "../../src/support/streams.ts";

/** A blob store that breaks a promise on purpose. */
interface BrokenBlobs {
  /** The fault, in a few words. */
  readonly fault: string;
  /** Cases that must fail on it, by their names. */
  readonly found: readonly string[];
  /** Breaks a blob store that keeps its promises. */
  readonly spoil: (blobs: BlobStore) => BlobStore;
}

async function* untilBroken(bytes: ByteStream): ByteStream {
  try {
    yield* bytes;
  } catch {
    // Keeps only the bytes so far.
  }
}

async function* published(blobs: BlobStore, blobId: string, bytes: ByteStream): ByteStream {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) {
    chunks.push(chunk);
    await blobs.put(blobId, streamOf(Buffer.concat(chunks)));
    yield chunk;
  }
}

const tamed = (blobId: string): string => Buffer.from(blobId.padEnd(16)).toString("hex").slice(0, 32);

/** Wrong blob stores. */
export const brokenBlobs: readonly BrokenBlobs[] = [
  {
    fault: "a broken stream leaves what came",
    found: ["blobs: a broken stream leaves nothing, and its error is the answer"],
    spoil: (blobs) => ({ ...blobs, put: (blobId, bytes) => blobs.put(blobId, untilBroken(bytes)) }),
  },
  {
    fault: "what went wrong with a stream is not told",
    found: ["blobs: a stream that breaks immediately leaves nothing"],
    spoil: (blobs) => ({
      ...blobs,
      put: (blobId, bytes) =>
        blobs.put(blobId, bytes).catch(() => {
          throw new Error("The blob could not be put.");
        }),
    }),
  },
  {
    fault: "a blob is written under its own name",
    found: ["blobs: no reader sees a part of a blob while it is written"],
    spoil: (blobs) => ({ ...blobs, put: (blobId, bytes) => blobs.put(blobId, published(blobs, blobId, bytes)) }),
  },
  {
    fault: "the end of a range is left out",
    found: ["blobs: a range has both its ends"],
    spoil: (blobs) => ({
      ...blobs,
      open: (blobId, range) => blobs.open(blobId, range && { ...range, end: range.end - 1 }),
    }),
  },
  {
    fault: "other names are made to fit",
    found: ["blobs: other names are refused by every verb"],
    spoil: (blobs) => ({ ...blobs, put: (blobId, bytes) => blobs.put(tamed(blobId), bytes) }),
  },
  {
    fault: "a blob is in memory before it is written",
    found: ["blobs: memory does not grow with the size"],
    spoil: (blobs) => ({
      ...blobs,
      async put(blobId, bytes) {
        await blobs.put(blobId, streamOf(await collect(bytes)));
      },
    }),
  },
  {
    fault: "readers share a buffer",
    found: ["blobs: a reader gets chunks of its own"],
    spoil: (blobs) => {
      const cache = new Map<string, Buffer>();
      return {
        ...blobs,
        async open(blobId) {
          const bytes = cache.get(blobId) ?? (await collect((await blobs.open(blobId)) ?? []));
          cache.set(blobId, bytes);
          return streamOf(bytes);
        },
      };
    },
  },
  {
    fault: "blobs with a suffix are not listed",
    found: ["blobs: what is deleted is gone"],
    spoil: (blobs) => ({
      ...blobs,
      async *list() {
        for await (const entry of blobs.list()) if (!entry.blobId.includes(".")) yield entry;
      },
    }),
  },
];
