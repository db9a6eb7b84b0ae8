import { type BlobEntry, type BlobStore, assertBlobId, isBlobId } from "@telex/core/storage";
import type { S3Options } from "./s3-client.ts";
import { createS3Objects, type S3Objects } from "./s3-objects.ts";

export type { S3Options } from "./s3-client.ts";
export { createS3Objects } from "./s3-objects.ts";
export type { S3Objects } from "./s3-objects.ts";
export type { S3Object } from "./s3-xml.ts";

/** Milliseconds between two writes of `probe`. Other probes read, because services charge for writes. */
const probeWrites = 300_000;

/** Writes on the first call, after a failure, and every five minutes. */
function createProbe(objects: S3Objects): () => Promise<void> {
  let writtenAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const [now, last] = [performance.now(), writtenAt];
    const isDue = now - last >= probeWrites;
    writtenAt = Number.NEGATIVE_INFINITY;
    await objects.probe(isDue ? "write" : "read");
    writtenAt = isDue ? now : last;
  };
}

async function* list(objects: S3Objects): AsyncGenerator<BlobEntry> {
  for await (const { key, size, modifiedAt } of objects.list()) {
    if (isBlobId(key)) yield { blobId: key, size, createdAt: modifiedAt };
  }
}

/**
 * Stores blobs in a bucket of S3, or of a service with the same protocol. A blob is uploaded in parts of 5 MiB, one at a time, and the
 * service checks the digest of each part. The service determines how durable blobs are. `probe` writes an object at most every five
 * minutes; its other calls read.
 * @throws TypeError for an endpoint that is not an http(s) address, and for a bucket without a name
 * @example
 * const blobs = createS3Blobs({ endpoint: "http://127.0.0.1:9000", bucket: "telex", accessKeyId, secretAccessKey });
 */
export function createS3Blobs(options: S3Options): BlobStore {
  const objects = createS3Objects(options);
  return {
    async put(blobId, bytes) {
      assertBlobId(blobId);
      await objects.put(blobId, bytes);
    },
    async open(blobId, range) {
      assertBlobId(blobId);
      return await objects.open(blobId, range);
    },
    async delete(blobId) {
      assertBlobId(blobId);
      await objects.delete(blobId);
    },
    list: () => list(objects),
    sweepPartial: (before) => objects.endUploads(before, isBlobId),
    probe: createProbe(objects),
  };
}
