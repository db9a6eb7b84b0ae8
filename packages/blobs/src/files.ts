import { constants, type Dirent } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type * as promises from "node:fs/promises";
import { dirname } from "node:path";
import { TelexError } from "@telex/core";
import type { ByteStream } from "@telex/core/storage";

/** The functions of `node:fs/promises` that this package uses. */
export type Fs = Pick<typeof promises, "lstat" | "mkdir" | "open" | "opendir" | "rename" | "rm" | "statfs">;

const fullCodes: readonly unknown[] = ["ENOSPC", "EDQUOT", "EROFS"];

const brokenCodes: readonly unknown[] = ["EIO", "EPERM", "EACCES"];

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined);

/** True if an error says that a path does not exist. */
export const isMissing = (error: unknown): boolean => codeOf(error) === "ENOENT";

/** Turns failures of a disk into TelexErrors: `storage_full` if it is full or read-only, otherwise `storage_unavailable`. */
export async function disk<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (fullCodes.includes(codeOf(error))) throw new TelexError("storage_full", { cause: error });
    if (brokenCodes.includes(codeOf(error))) throw new TelexError("storage_unavailable", { cause: error });
    throw error;
  }
}

/** Turns failures with one of these codes into null. */
export async function orNull<T>(work: Promise<T>, codes: readonly unknown[] = ["ENOENT"]): Promise<T | null> {
  try {
    return await work;
  } catch (error) {
    if (codes.includes(codeOf(error))) return null;
    throw error;
  }
}

/** The entries of a directory, one at a time. A missing directory has no entries. */
export async function* entriesOf(fs: Fs, path: string): AsyncGenerator<Dirent> {
  const directory = await orNull(fs.opendir(path));
  if (directory !== null) yield* directory;
}

/** Makes the names in a directory durable. */
export async function syncDirectory(fs: Fs, path: string): Promise<void> {
  const handle = await fs.open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a directory; returns false if it exists. A link to a directory counts as something else. */
async function makeOne(fs: Fs, path: string): Promise<boolean> {
  try {
    await fs.mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return false;
  }
}

/** Makes a directory and its missing parents, and makes their names durable. */
export async function makeDirectory(fs: Fs, path: string): Promise<void> {
  let made: boolean;
  try {
    made = await makeOne(fs, path);
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) throw error;
    await makeDirectory(fs, dirname(path));
    made = await makeOne(fs, path);
  }
  if (made) await syncDirectory(fs, dirname(path));
}

/** Makes a directory in an existing one. Its name is durable afterwards, even if another caller made it. */
export async function makeInside(fs: Fs, path: string): Promise<void> {
  await makeOne(fs, path);
  if (!(await fs.lstat(path)).isDirectory()) throw new TypeError("A directory of blobs must not be a link or a file.");
  await syncDirectory(fs, dirname(path));
}

/** Writes a stream to its end, one chunk after the other. Rejects with the error of the stream or of the disk. */
export async function writeStream(handle: FileHandle, bytes: ByteStream): Promise<void> {
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.byteLength;) {
      at += (await disk(handle.write(chunk, at))).bytesWritten;
    }
  }
}
