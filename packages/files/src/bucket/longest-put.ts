import { TelexError } from "@telex/ground/errors";
import type { BucketLimits } from "./limits.ts";
import type { BlobStore } from "../blobs/blobs.ts";
import type { ByteStream } from "../blobs/bytes.ts";

/** Milliseconds: a store may need half of it to complete a put, for example when it tries again. */
const shortestOrphanAge = 600_000;

/**
 * A sweep removes the remains of puts that broke off `orphanAge` ago, and blobs without a record of that age. Another server, or a service that
 * dates an object by the beginning of its upload, cannot tell a slow put from one that broke off. So no put may take that long.
 * @throws RangeError
 */
export function assertOrphanAge({ orphanAge }: Pick<BucketLimits, "orphanAge">): void {
  if (orphanAge >= shortestOrphanAge) return;
  throw new RangeError(
    `limits.orphanAge must be at least ${shortestOrphanAge} (milliseconds), not ${orphanAge}: a sweep would remove files that are being stored.`,
  );
}

/** Milliseconds for which the bytes of a put may arrive. The other half of `orphanAge` is for the steps after that. */
export const longestPutOf = ({ orphanAge }: Pick<BucketLimits, "orphanAge">): number => orphanAge / 2;

async function* within(bytes: ByteStream, longest: number, now: () => number): ByteStream {
  const begun = now();
  for await (const chunk of bytes) {
    if (now() - begun > longest) throw new TelexError("timeout");
    yield chunk;
  }
}

/**
 * A blob store whose puts end with `timeout` if their bytes take longer.
 * @param longest milliseconds
 * @param now milliseconds that never go back
 */
export const boundPuts = (blobs: BlobStore, longest: number, now = (): number => performance.now()): BlobStore => ({
  put: (blobId, bytes) => blobs.put(blobId, within(bytes, longest, now)),
  open: (blobId, range) => blobs.open(blobId, range),
  delete: (blobId) => blobs.delete(blobId),
  list: () => blobs.list(),
  sweepPartial: (before) => blobs.sweepPartial(before),
  probe: () => blobs.probe(),
});
