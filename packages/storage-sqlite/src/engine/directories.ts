import { chmodSync, closeSync, fstatSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Syncs the contents of a file, or the names in a directory, to the disk. */
export function sync(path: string): void {
  const handle = openSync(path, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

const isFault = (error: unknown, code: string): boolean =>
  error instanceof Error && "code" in error && error.code === code;

/** Creates a directory that only its owner may use; false if the name is taken. */
function makeOne(path: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (isFault(error, "EEXIST")) return false;
    throw error;
  }
}

/**
 * Creates a directory and its missing parents, durably. It does not use the recursive `mkdir` of Node, which never ends if a file system
 * refuses new names with ENOENT, as `/proc` does.
 */
export function makeDirectory(path: string): void {
  let made: boolean;
  try {
    made = makeOne(path);
  } catch (error) {
    if (!isFault(error, "ENOENT") || dirname(path) === path) throw error;
    makeDirectory(dirname(path));
    made = makeOne(path);
  }
  if (made) sync(dirname(path));
}

/** Creates a file that only its owner may read, or removes the rights of others from an existing file of this user. */
export function makePrivateFile(file: string): void {
  const handle = openSync(file, "a", 0o600);
  try {
    const { mode, uid } = fstatSync(handle);
    if ((mode & 0o077) !== 0 && uid === process.getuid?.()) chmodSync(file, 0o600);
  } finally {
    closeSync(handle);
  }
}
