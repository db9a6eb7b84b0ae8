import type { S3Objects } from "@telex/blobs/s3";
import { Failure } from "../errors/errors.ts";
import { isFilePath, manifestName, type BackupFolder, type Target } from "./backup-folder.ts";

/** An installation may keep its files in the same bucket, also below `blobs/`, so only whole paths identify files of a backup. */
async function begin(name: string, objects: S3Objects): Promise<Target> {
  for await (const { key } of objects.list()) {
    if (key === manifestName) throw new Failure("target_not_empty", `${name} is a backup already: name a new place.`);
    if (!isFilePath(key))
      throw new Failure("target_not_empty", `${name} contains ${key}, which does not belong to a backup.`);
  }
  await clear(objects);
  return {
    folder: null,
    put: (key, bytes) => objects.put(key, bytes),
    drop: (key) => objects.delete(key),
    // An object is durable when its upload is complete, and the manifest is uploaded last.
    complete: () => Promise.resolve(),
  };
}

/** Deletes the manifest first: without it, the rest is not a backup. */
async function clear(objects: S3Objects): Promise<void> {
  await objects.delete(manifestName);
  for await (const { key } of objects.list()) await objects.delete(key);
  await objects.endUploads(Date.now(), (key) => key === manifestName || isFilePath(key));
}

async function gather(names: AsyncIterable<string>): Promise<readonly string[]> {
  const gathered: string[] = [];
  for await (const name of names) gathered.push(name);
  return gathered;
}

/**
 * A backup in a bucket, or several below one prefix.
 * @param below opens the objects below a prefix, which is empty or ends with a slash
 */
export function createBucketFolder(name: string, below: (prefix: string) => S3Objects, path = ""): BackupFolder {
  const objects = below(path);
  return {
    name,
    child: (child) => createBucketFolder(`${name}/${child}`, below, `${path}${child}/`),
    children: () => gather(objects.folders()),
    begin: () => begin(name, objects),
    async has(key) {
      const start = await objects.open(key, { start: 0, end: 0 });
      await start?.[Symbol.asyncIterator]().return?.();
      return start !== null;
    },
    open: (key) => objects.open(key),
    remove: () => clear(objects),
  };
}
