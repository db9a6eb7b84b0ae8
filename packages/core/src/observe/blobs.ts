import { TelexError } from "@telex/ground/errors";
import type { BlobStore, ByteStream } from "@telex/files/blobs";
import type { ObservedBlob, Observer } from "./observer.ts";

async function* counted(bytes: ByteStream, count: (size: number) => void): ByteStream {
  for await (const chunk of bytes) {
    count(chunk.byteLength);
    yield chunk;
  }
}

/** A blob store that reports its operations to an observer. Returns the store itself if the observer does not listen. */
export function observeBlobs(blobs: BlobStore, { blob: tell }: Observer): BlobStore {
  if (tell === undefined) return blobs;
  const measured = async <T>(verb: ObservedBlob["verb"], bytes: () => number, run: () => Promise<T>): Promise<T> => {
    const begun = performance.now();
    const end = (outcome: ObservedBlob["outcome"]): void =>
      tell({ verb, outcome, ms: performance.now() - begun, bytes: bytes() });
    try {
      const result = await run();
      end("ok");
      return result;
    } catch (cause) {
      end(TelexError.from(cause).code);
      throw cause;
    }
  };
  return {
    async put(blobId, bytes) {
      let size = 0;
      const passing = counted(bytes, (more) => (size += more));
      await measured(
        "put",
        () => size,
        () => blobs.put(blobId, passing),
      );
    },
    open: (blobId, range) =>
      measured(
        "open",
        () => 0,
        () => blobs.open(blobId, range),
      ),
    delete: (blobId) =>
      measured(
        "delete",
        () => 0,
        () => blobs.delete(blobId),
      ),
    list: () => blobs.list(),
    sweepPartial: (before) => blobs.sweepPartial(before),
    probe: () => blobs.probe(),
  };
}
