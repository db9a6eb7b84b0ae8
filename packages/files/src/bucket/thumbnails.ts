import { createSingleFlight, joinBytes } from "@telex/ground/concurrency";
import { TelexError } from "@telex/ground/errors";
import type { ImageEngine } from "../images/engine.ts";
import { sniffImage } from "../images/sniff.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import type { ByteRange, ByteStream } from "../blobs/bytes.ts";
import { thumbnailBlobId } from "../blobs/names.ts";
import type { FileRecord } from "../records.ts";

/** Reads a blob, or a range of it, into memory; null when there is none. */
export async function readBlob(blobs: BlobStore, blobId: string, range?: ByteRange): Promise<Uint8Array | null> {
  const stream = await blobs.open(blobId, range);
  if (stream === null) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return await joinBytes(chunks);
}

/**
 * Reads the bytes of a file.
 * @throws TelexError `file_not_found` when they are gone
 */
export async function readFile(blobs: BlobStore, file: Pick<FileRecord, "blobId">): Promise<Uint8Array> {
  const bytes = await readBlob(blobs, file.blobId);
  if (bytes === null) throw new TelexError("file_not_found");
  return bytes;
}

async function* once(bytes: Uint8Array): ByteStream {
  yield bytes;
}

export interface Thumbnails {
  /**
   * The preview of an image.
   * @throws TelexError `file_not_found` when the image is gone or cannot be read, `busy`
   */
  get(file: FileRecord): Promise<{ readonly bytes: Uint8Array; readonly mime: string }>;
}

async function make(blobs: BlobStore, images: ImageEngine, file: FileRecord, side: number): Promise<Uint8Array> {
  const { bytes } = await images.thumbnail(() => readFile(blobs, file), side);
  await blobs.put(thumbnailBlobId(file.blobId), once(bytes)).catch((error: unknown) => {
    // Users get the preview even if the disk is full.
    if (!TelexError.is(error) || error.code !== "storage_full") throw error;
  });
  return bytes;
}

/** Previews of at most `side` pixels on each side. Simultaneous callers share one rendering. */
export function createThumbnails(blobs: BlobStore, images: ImageEngine, side: number): Thumbnails {
  const making = createSingleFlight<Uint8Array>();
  const render = (file: FileRecord) => making.run(file.blobId, () => make(blobs, images, file, side));
  return {
    async get(file) {
      try {
        const bytes = (await readBlob(blobs, thumbnailBlobId(file.blobId))) ?? (await render(file));
        return { bytes, mime: sniffImage(bytes)?.mime ?? file.mime };
      } catch (error) {
        if (TelexError.is(error) && error.code === "unreadable_image") throw new TelexError("file_not_found");
        throw error;
      }
    },
  };
}
