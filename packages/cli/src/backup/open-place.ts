import { resolve } from "node:path";
import { bucketOptions, isBucket } from "../blobs.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { createBucketPlace } from "./bucket-place.ts";
import { createFolderPlace } from "./folder-place.ts";
import type { Place } from "./place.ts";

/**
 * Opens the place that an operator names: a folder, or `s3:<endpoint>/<bucket>[/<prefix>]`. Nothing is made or sent yet.
 * @throws UsageError for an address of a bucket that is not one, and for a bucket without keys
 */
export async function openPlace(config: Pick<Config, "get">, address: string): Promise<Place> {
  if (!isBucket(address)) return createFolderPlace(resolve(address));
  const [accessKeyId, secretAccessKey] = [config.get(settings.backupAccessKey), config.get(settings.backupSecretKey)];
  const options = bucketOptions(address, { accessKeyId, secretAccessKey, variable: "TELEX_BACKUP" });
  const { createS3Objects } = await import("@telex/blobs/s3");
  return createBucketPlace(address.replace(/\/$/, ""), (prefix) =>
    createS3Objects({ ...options, prefix: options.prefix + prefix }),
  );
}
