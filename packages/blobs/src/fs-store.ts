import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { TelexError } from "@telex/core";
import { type BlobEntry, type BlobStore, type ByteStream, isBlobId } from "@telex/core/storage";
import { disk, entriesOf, type Fs, orNull, syncDirectory, writeStream } from "./files.ts";
import { openFile, readFile } from "./read-file.ts";
import { createDirectories, createLayout, type Layout } from "./layout.ts";
import { createPartials } from "./partials.ts";

/** The directory of blobs, and the space that they leave free. */
export interface FsBlobsOptions {
  /** The directory of the blobs; created if it is missing. It must not contain anything else. */
  readonly directory: string;
  /**
   * Bytes of the disk that blobs leave free for the records of the same installation. A blob that would use them is rejected.
   * 0 turns the check off. Default 512 MiB.
   */
  readonly floor?: number;
}

const defaultFloor = 512 * 2 ** 20;
/** Bytes of a blob between two checks of the free space. */
const checkEvery = 8 * 2 ** 20;

/** Renames a complete file to its final name. Afterwards the name is durable, or does not exist. */
async function publish(fs: Fs, layout: Layout, partial: string, blobId: string): Promise<void> {
  const file = layout.fileOf(blobId);
  await disk(fs.rename(partial, file));
  try {
    await disk(syncDirectory(fs, layout.shardOf(blobId)));
  } catch (error) {
    await fs.rm(file, { force: true });
    throw error;
  }
}

async function* listBlobs(fs: Fs, { root }: Layout): AsyncGenerator<BlobEntry> {
  for await (const shard of entriesOf(fs, root)) {
    if (!shard.isDirectory() || !/^[0-9a-f]{2}$/.test(shard.name)) continue;
    for await (const { name } of entriesOf(fs, join(root, shard.name))) {
      const stats = isBlobId(name) ? await orNull(fs.lstat(join(root, shard.name, name))) : null;
      if (stats?.isFile() === true) yield { blobId: name, size: stats.size, createdAt: Math.floor(stats.mtimeMs) };
    }
  }
}

async function assertFloor(fs: Fs, root: string, floor: number): Promise<void> {
  if (floor === 0) return;
  const { bavail, bsize } = await fs.statfs(root);
  if (bavail * bsize < floor) throw new TelexError("storage_full");
}

/** Passes bytes on while the floor stays free. */
async function* aboveFloor(bytes: ByteStream, check: () => Promise<void>): ByteStream {
  let unchecked = checkEvery;
  for await (const chunk of bytes) {
    unchecked += chunk.byteLength;
    if (unchecked >= checkEvery) {
      await check();
      unchecked = 0;
    }
    yield chunk;
  }
}

/** Creates a store of blobs as files on this file system interface. */
export function createBlobsOn(fs: Fs, { directory, floor = defaultFloor }: FsBlobsOptions): BlobStore {
  const layout = createLayout(directory);
  const directories = createDirectories(fs, layout);
  const partials = createPartials(fs, layout, directories);
  const check = (): Promise<void> => assertFloor(fs, layout.root, floor);
  const writeAll = async (handle: FileHandle, bytes: ByteStream): Promise<void> => {
    await writeStream(handle, aboveFloor(bytes, check));
    await disk(handle.sync());
  };
  return {
    async put(blobId, bytes) {
      await disk(directories.ensure(layout.shardOf(blobId)));
      await partials.with(
        (handle) => writeAll(handle, bytes),
        (path) => publish(fs, layout, path, blobId),
      );
    },
    async open(blobId, range) {
      const shard = await orNull(fs.lstat(layout.shardOf(blobId)));
      const file = shard?.isDirectory() === true ? await openFile(fs, layout.fileOf(blobId)) : null;
      return file === null ? null : readFile(file, range);
    },
    async delete(blobId) {
      await disk(fs.rm(layout.fileOf(blobId), { force: true }));
    },
    list: () => listBlobs(fs, layout),
    sweepPartial: (before) => partials.sweep(before),
    async probe() {
      await partials.with(
        async (handle) => {
          await disk(handle.write("ready"));
        },
        (path) => fs.rm(path),
      );
    },
  };
}
