import { resolve } from "node:path";
import { bucketOptions, isBucket } from "../storage/blobs.ts";
import { UsageError } from "../errors/errors.ts";
import { folder } from "../settings/kind.ts";
import { maskPlace } from "../settings/mask-place.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { createBucketPlace } from "./bucket-place.ts";
import { createFolderPlace } from "./folder-place.ts";
import type { Place } from "./place.ts";

/**
 * Opens a place: a folder, or `s3:<endpoint>/<bucket>[/<prefix>]`. It neither creates nor sends anything.
 * @throws UsageError for another kind of address, and for a bucket without keys
 */
export async function openPlace(config: Pick<Config, "get">, address: string): Promise<Place> {
  if (!isBucket(address)) {
    if (folder.parse(address) !== undefined) return createFolderPlace(resolve(address));
    throw new UsageError(
      `"${maskPlace(address)}" must be a folder, or a bucket such as s3:https://s3.example.org/bucket.`,
    );
  }
  const [accessKeyId, secretAccessKey] = [config.get(settings.backupAccessKey), config.get(settings.backupSecretKey)];
  const keys = { accessKeyId, secretAccessKey, variable: "TELEX_BACKUP" };
  bucketOptions(address, keys);
  const { createS3Objects } = await import("@telex/blobs/s3");
  return createBucketPlace(address.replace(/\/$/, ""), (name) => createS3Objects(bucketOptions(address, keys, name)));
}
