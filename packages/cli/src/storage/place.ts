import { existsSync, statSync } from "node:fs";
import { mkdir, open, stat } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { isFolder } from "./blobs.ts";
import { codeOf, Failure, messageOf, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { flagOf } from "../settings/setting.ts";
import { settings } from "../settings/table.ts";

/**
 * Turns the error of an unusable file into a failure with its message.
 * @throws Failure `storage_<fault>`, or the error itself if it is not about a file
 */
export function refuseFile(error: unknown): never {
  const fault = error instanceof Error && "fault" in error ? String(error.fault) : null;
  if (fault === null) throw error;
  throw new Failure(`storage_${fault}`, messageOf(error), { cause: error });
}

/** The failure of a command that finds no storage. It does not create one, because the folder may be mistyped. */
export const missingStorage = (file: string): Failure =>
  new Failure(
    "storage_missing",
    `There is no Telex database at ${file}. Name its folder with --data, or add the first user: telex user add <nickname>.`,
  );

/** The failure for a database into which a copy is incomplete. */
export const incompleteStorage = (file: string): Failure =>
  new Failure(
    "storage_incomplete",
    `A copy into ${file} is not complete. Run telex migrate copy, telex import or telex restore again, or delete this file and ${file}.transfer.`,
  );

/** The path itself if it exists, otherwise the nearest folder above it. */
export const existing = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : existing(dirname(path));

/** Rejects a setting that names a folder if it, or a folder above it, is a file. */
export function refuseFileAs(name: "data" | "blobs", { get }: Config): void {
  const place = get(settings[name]);
  if (!isFolder(place)) return;
  const there = existing(resolve(place));
  if (statSync(there).isDirectory()) return;
  throw new UsageError(`${flagOf(name)} must be a folder; ${there} is a file.`);
}

/**
 * Creates a folder for messages and tokens, which only its owner can read. The names of new folders are on the disk before the folder is
 * used.
 * @throws UsageError
 */
export async function makeFolder(folder: string): Promise<void> {
  await makeMissing(folder).catch((cause: unknown) => {
    throw new UsageError(`The folder ${folder} cannot be created: ${messageOf(cause)}`, { cause });
  });
}

/** Replaces the recursive `mkdir` of Node, which never ends on file systems that refuse new names with ENOENT, such as /proc. */
async function makeMissing(folder: string): Promise<void> {
  const isNew = await makeOne(folder).catch(async (error: unknown) => {
    if (codeOf(error) !== "ENOENT" || dirname(folder) === folder) throw error;
    await makeMissing(dirname(folder));
    return await makeOne(folder);
  });
  if (isNew) await syncNames(dirname(folder));
}

async function makeOne(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(folder)).isDirectory()) return false;
    throw error;
  }
}

async function syncNames(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
