import { maskAll, maskUrl } from "@telex/core/options";
import { folder, secret, optional } from "../kind.ts";
import { size } from "../quantity-kinds.ts";
import { storagePlace, blobPlace } from "../address-kinds.ts";
import { maskPlace } from "../mask-place.ts";
import { define } from "../setting.ts";

const mib = 2 ** 20;

const data = define("data", folder, "./telex-data", "folder of the database and the uploaded files");

const blobsAccessKey = define("blobsAccessKey", optional(secret("<key>")), null, "access key of the bucket in blobs");

const blobsSecretKey = define(
  "blobsSecretKey",
  optional(secret("<key>")),
  null,
  "secret key of the bucket in blobs; other users of the machine can see a flag, so prefer TELEX_BLOBS_SECRET_KEY",
  maskAll,
);

/** The storage, the files and the backups. */
export const placeRows = {
  data,
  storage: define(
    "storage",
    storagePlace,
    (read) => `sqlite:${read(data).replace(/\/+$/, "")}/telex.db`,
    "where records are stored; memory: loses them when the process ends",
    maskUrl,
  ),
  blobs: define(
    "blobs",
    blobPlace,
    (read) => `${read(data).replace(/\/+$/, "")}/blobs`,
    "where the bytes of files are stored: a folder, s3:<endpoint>/<bucket>[/<prefix>][?region=<region>], or unstorage:<driver>[?<option>=<value>&...]",
    maskPlace,
  ),
  blobsAccessKey,
  blobsSecretKey,
  backupAccessKey: define(
    "backupAccessKey",
    optional(secret("<key>")),
    (read) => read(blobsAccessKey),
    "access key of the bucket of backups; by default that of blobs",
  ),
  backupSecretKey: define(
    "backupSecretKey",
    optional(secret("<key>")),
    (read) => read(blobsSecretKey),
    "secret key of the bucket of backups; other users of the machine can see a flag, so prefer TELEX_BACKUP_SECRET_KEY",
    maskAll,
  ),
  fileFloor: define(
    "fileFloor",
    size,
    512 * mib,
    "free space below which files are refused while records are still stored; 0 for no limit",
  ),
  recordFloor: define(
    "recordFloor",
    size,
    64 * mib,
    "free space below which the server reports that it is not ready; 0 for no limit",
  ),
} as const;
