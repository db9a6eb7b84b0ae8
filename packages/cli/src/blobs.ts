import type { BlobStore } from "@telex/core";
import { UsageError } from "./errors.ts";
import type { Config } from "./settings/load.ts";
import { bucketPlace } from "./settings/kind.ts";
import { settings } from "./settings/table.ts";

/** Where the bytes of files are, and how much of a disk they leave free. */
interface BlobPlace {
  /** A folder, or a bucket: `s3:<endpoint>/<bucket>`. */
  readonly place: string;
  /** Bytes; a bucket has none. */
  readonly floor: number;
}

/** True for a place that is a bucket. */
export const isBucket = (place: string): boolean => place.startsWith("s3:");

/**
 * Opens the bytes of files. Nothing is made or sent yet.
 * @throws UsageError for a bucket without keys
 */
export async function openBlobs({ get }: Pick<Config, "get">, { place, floor }: BlobPlace): Promise<BlobStore> {
  if (!isBucket(place)) return (await import("@telex/blobs/fs")).createFsBlobs({ directory: place, floor });
  const [, endpoint, bucket, path = "", region] = bucketPlace.exec(place) ?? [];
  const [accessKeyId, secretAccessKey] = [get(settings.blobsAccessKey), get(settings.blobsSecretKey)];
  if (endpoint === undefined || bucket === undefined) {
    throw new UsageError(`"${place}" must look like s3:https://s3.example.org/bucket.`);
  }
  if (accessKeyId === null || secretAccessKey === null) {
    throw new UsageError(
      "A bucket needs keys: set TELEX_BLOBS_ACCESS_KEY and TELEX_BLOBS_SECRET_KEY in the environment.",
    );
  }
  const prefix = path === "" ? "" : `${path.replace(/\/$/, "")}/`;
  const { createS3Blobs } = await import("@telex/blobs/s3");
  return createS3Blobs({ endpoint, bucket, prefix, accessKeyId, secretAccessKey, ...(region && { region }) });
}
