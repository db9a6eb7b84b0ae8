import { randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { disk, entriesOf, type Fs, isMissing, orNull } from "./files.ts";
import type { Directories, Layout } from "./layout.ts";

/** Files that are not complete yet. */
interface Partials {
  /**
   * Creates a file with a random name and passes it to `write`, and then its path to `use`, which renames or removes it. If one of
   * them fails, the file is removed.
   */
  with(write: (handle: FileHandle) => Promise<void>, use: (path: string) => Promise<void>): Promise<void>;
  /** Removes files that were last written before `before` (Unix milliseconds) and are not in use. Returns their number. */
  sweep(before: number): Promise<number>;
}

/** Creates a file that only its owner may read, and closes it after `write`. */
async function writeNew(fs: Fs, path: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await disk(fs.open(path, "wx", 0o600));
  try {
    await write(handle);
  } finally {
    await disk(handle.close());
  }
}

/** The folder of partial files, and the names that are in use. */
interface PartialFolder {
  readonly fs: Fs;
  readonly folder: string;
  readonly directories: Directories;
  readonly active: Set<string>;
}

async function writeAndUse(
  { fs, folder, directories, active }: PartialFolder,
  write: (handle: FileHandle) => Promise<void>,
  use: (path: string) => Promise<void>,
): Promise<void> {
  await disk(directories.ensure(folder));
  const name = randomBytes(16).toString("hex");
  const path = join(folder, name);
  active.add(name);
  try {
    await writeNew(fs, path, write);
    await use(path);
  } catch (error) {
    if (isMissing(error)) directories.forget();
    // A file that cannot be removed is left to the sweep. The caller gets the first failure.
    await fs.rm(path, { force: true }).catch(() => {});
    throw error;
  } finally {
    active.delete(name);
  }
}

async function sweep({ fs, folder, active }: PartialFolder, before: number): Promise<number> {
  let swept = 0;
  for await (const { name } of entriesOf(fs, folder)) {
    const path = join(folder, name);
    const stats = active.has(name) ? null : await orNull(fs.lstat(path));
    if (stats === null || stats.mtimeMs >= before) continue;
    await fs.rm(path, { force: true });
    swept += 1;
  }
  return swept;
}

export function createPartials(fs: Fs, { partials }: Layout, directories: Directories): Partials {
  const partial: PartialFolder = { fs, folder: partials, directories, active: new Set() };
  return { with: (write, use) => writeAndUse(partial, write, use), sweep: (before) => sweep(partial, before) };
}
