import type { OpenBlobs } from "./open-blobs.ts";
import { resolve } from "node:path";
import type { S3Options } from "@telex/blobs/s3";
import type { BlobStore } from "@telex/core";
import { UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { bucketPlace } from "../settings/address-kinds.ts";
import { maskPlace } from "../settings/mask-place.ts";
import { settings } from "../settings/table.ts";

/** The place of the bytes of files, and the free space to leave on its disk. */
interface BlobTarget {
  /** A folder, a bucket (`s3:<endpoint>/<bucket>`), or a driver of unstorage (`unstorage:<driver>`). */
  readonly place: string;
  /** Bytes. Only folders have a floor. */
  readonly floor: number;
}

const isUnstorage = (place: string): boolean => place.startsWith("unstorage:");

/** True for a folder of this machine. */
export const isFolder = (place: string): boolean => !isBucket(place) && !isUnstorage(place);

/** The place for messages: a folder with its full path, others without secrets. */
export const shownPlace = (place: string): string => (isFolder(place) ? resolve(place) : maskPlace(place));

/** True for a place that is a bucket. */
export const isBucket = (place: string): boolean => place.startsWith("s3:");

/**
 * Opens the bytes of files. It neither creates nor sends anything, except that it tries a driver of unstorage.
 * @throws UsageError for an invalid address, for a bucket without keys, and for a driver that cannot keep files
 * @throws Failure `driver_missing`, `storage_unavailable` for a driver that is not installed or does not work
 */
export async function openBlobs(config: Pick<Config, "get">, { place, floor }: BlobTarget): Promise<OpenBlobs> {
  if (settings.blobs.kind.parse(place) === undefined)
    throw new UsageError(`"${maskPlace(place)}" must be ${settings.blobs.kind.expected}.`);
  if (isUnstorage(place)) return await (await import("./unstorage/open.ts")).openUnstorage(place);
  const blobs = isBucket(place)
    ? await openBucket(config, place)
    : (await import("@telex/blobs/fs")).createFsBlobs({ directory: place, floor });
  return { ...blobs, close: () => Promise.resolve() };
}

async function openBucket({ get }: Pick<Config, "get">, place: string): Promise<BlobStore> {
  const [accessKeyId, secretAccessKey] = [get(settings.blobsAccessKey), get(settings.blobsSecretKey)];
  const options = bucketOptions(place, { accessKeyId, secretAccessKey, variable: "TELEX_BLOBS" });
  return (await import("@telex/blobs/s3")).createS3Blobs(options);
}

/** The keys of a bucket from the settings. */
interface BucketKeys {
  readonly accessKeyId: string | null;
  readonly secretAccessKey: string | null;
  /** The prefix of the variables that contain the keys. */
  readonly variable: string;
}

/**
 * The bucket of `s3:<endpoint>/<bucket>[/<prefix>][?region=<region>]`.
 * @param folder follows the prefix of the address, after a slash
 * @throws UsageError for an invalid address, and without keys
 */
export function bucketOptions(place: string, keys: BucketKeys, folder = ""): S3Options {
  const [, endpoint, bucket, path = "", region] = bucketPlace.exec(place) ?? [];
  const { accessKeyId, secretAccessKey, variable } = keys;
  if (endpoint === undefined || bucket === undefined) {
    // The message does not quote the address, which may contain keys.
    throw new UsageError("The address of a bucket must look like s3:https://s3.example.org/bucket.");
  }
  if (accessKeyId === null || secretAccessKey === null) {
    throw new UsageError(
      `A bucket needs keys: set ${variable}_ACCESS_KEY and ${variable}_SECRET_KEY in the environment.`,
    );
  }
  const prefix = (path === "" ? "" : `${path.replace(/\/$/, "")}/`) + folder;
  return { endpoint, bucket, prefix, accessKeyId, secretAccessKey, ...(region && { region }) };
}
