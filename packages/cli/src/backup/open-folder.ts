import { resolve } from "node:path";
import { bucketOptions, isBucket } from "../storage/blobs.ts";
import { UsageError } from "../errors/errors.ts";
import { folder } from "../settings/kind.ts";
import { maskPlace } from "../settings/mask-place.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { createBucketFolder } from "./bucket-folder.ts";
import { createDiskFolder } from "./disk-folder.ts";
import type { BackupFolder } from "./backup-folder.ts";

/**
 * Opens a place: a folder, or `s3:<endpoint>/<bucket>[/<prefix>]`. It neither creates nor sends anything.
 * @throws UsageError for another kind of address, and for a bucket without keys
 */
export async function openFolder(config: Pick<Config, "get">, address: string): Promise<BackupFolder> {
  if (!isBucket(address)) {
    if (folder.parse(address) !== undefined) return createDiskFolder(resolve(address));
    throw new UsageError(
      `"${maskPlace(address)}" must be a folder, or a bucket such as s3:https://s3.example.org/bucket.`,
    );
  }
  const [accessKeyId, secretAccessKey] = [config.get(settings.backupAccessKey), config.get(settings.backupSecretKey)];
  const keys = { accessKeyId, secretAccessKey, variable: "TELEX_BACKUP" };
  bucketOptions(address, keys);
  const { createS3Objects } = await import("@telex/blobs/s3");
  return createBucketFolder(address.replace(/\/$/, ""), (name) => createS3Objects(bucketOptions(address, keys, name)));
}
