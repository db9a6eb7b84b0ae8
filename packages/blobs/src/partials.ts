import { randomBytes } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { disk, entriesOf, type Fs, isMissing, orNull } from "./files.ts";
import type { Directories, Layout } from "./layout.ts";

/** Files that are not whole yet. */
interface Partials {
  /**
   * Makes a file with a random name and hands it to `write`; then its path to `use`, which renames or removes it. Where one
   * of them fails it is removed here.
   */
  with(write: (handle: FileHandle) => Promise<void>, use: (path: string) => Promise<void>): Promise<void>;
  /** Removes what was last written before `before` (Unix milliseconds) and is not in use here. Answers how many. */
  sweep(before: number): Promise<number>;
}

/** Makes a file that only its owner may read, and closes it after `write`. */
async function writeNew(fs: Fs, path: string, write: (handle: FileHandle) => Promise<void>): Promise<void> {
  const handle = await disk(fs.open(path, "wx", 0o600));
  try {
    await write(handle);
  } finally {
    await disk(handle.close());
  }
}

/** What partial files need: where they are, and the names of those that are in use here. */
interface Place {
  readonly fs: Fs;
  readonly folder: string;
  readonly directories: Directories;
  readonly active: Set<string>;
}

async function writeAndUse(
  { fs, folder, directories, active }: Place,
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
    // What cannot be removed now is left to the sweep: the failure that led here is the one to tell.
    await fs.rm(path, { force: true }).catch(() => {});
    throw error;
  } finally {
    active.delete(name);
  }
}

async function sweep({ fs, folder, active }: Place, before: number): Promise<number> {
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

/** Temporary files of a layout. */
export function createPartials(fs: Fs, { partials }: Layout, directories: Directories): Partials {
  const place: Place = { fs, folder: partials, directories, active: new Set() };
  return { with: (write, use) => writeAndUse(place, write, use), sweep: (before) => sweep(place, before) };
}
