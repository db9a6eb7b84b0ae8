import { createReadStream, existsSync } from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { ByteStream } from "@telex/core/storage";
import { codeOf, Failure } from "../errors/errors.ts";
import { makeFolder } from "../storage/place.ts";
import { syncFolder } from "../transfer/durable.ts";
import { isOurs, type BackupFolder, type Target } from "./backup-folder.ts";

/** The name of a folder while its backup is incomplete or being removed. */
const partialOf = (folder: string): string => `${folder}.partial`;

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return [];
    throw error;
  });
}

async function removeLeftover(partial: string): Promise<void> {
  const foreign = (await namesIn(partial)).find((name) => !isOurs(name));
  if (foreign !== undefined) throw notOurs(partial, foreign);
  await rm(partial, { recursive: true, force: true });
}

const notOurs = (folder: string, name: string): Failure =>
  new Failure(
    "target_not_empty",
    `${folder} contains ${name}, which does not belong to a backup. Remove the folder first.`,
  );

/** Writes a new file that only its owner can read. */
async function writeFile(path: string, bytes: ByteStream): Promise<void> {
  await using handle = await open(path, "wx", 0o600);
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.byteLength;) at += (await handle.write(chunk, at)).bytesWritten;
  await handle.sync();
}

async function begin(folder: string): Promise<Target> {
  if ((await namesIn(folder)).length > 0)
    throw new Failure("target_not_empty", `${folder} is not empty: name a new folder.`);
  const partial = partialOf(folder);
  await removeLeftover(partial);
  await makeFolder(partial);
  /** Folders whose new names must be synced. */
  const changed = new Set([partial]);
  return {
    folder: partial,
    async put(name, bytes) {
      const path = join(partial, name);
      if (!changed.has(dirname(path))) await makeFolder(dirname(path));
      changed.add(dirname(path));
      await writeFile(path, bytes);
    },
    drop: async (name) => await rm(join(partial, name), { force: true }),
    async complete() {
      for (const one of changed) await syncFolder(one);
      await rename(partial, folder);
      await syncFolder(dirname(folder));
    },
  };
}

/** A backup in a folder, or a folder of backups. */
export const createDiskFolder = (folder: string): BackupFolder => ({
  name: folder,
  child: (name) => createDiskFolder(join(folder, name)),
  children: () => namesIn(folder),
  begin: () => begin(folder),
  has: (name) => Promise.resolve(existsSync(join(folder, name))),
  open: (name) => Promise.resolve(existsSync(join(folder, name)) ? createReadStream(join(folder, name)) : null),
  async remove() {
    const partial = folder.endsWith(partialOf("")) ? folder : partialOf(folder);
    if (partial !== folder) await rename(folder, partial);
    await rm(partial, { recursive: true, force: true });
  },
});
