import { existsSync } from "node:fs";
import { readdir, rename, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { copyFiles } from "@telex/core/transfer";
import type { BlobStore, Storage } from "@telex/core";
import type { DamagedFile, FilesReport } from "@telex/core/transfer";
import type { Command } from "commander";
import { commonOf, configOf, talkOf } from "../command.ts";
import { Failure } from "../errors.ts";
import { printJson } from "../output.ts";
import { makeFolder, openStorage, refuseFile } from "../storage.ts";
import type { Opened } from "../storage.ts";
import { syncFolder } from "./durable.ts";
import { createProgressBar } from "./progress.ts";
import { sqliteFileOf } from "./sqlite-file.ts";

/** What a backup holds. */
interface Backup extends FilesReport {
  /** Files that a sweep took away between the copy of the database and theirs: the backup does not name them either. */
  readonly swept: number;
}

/** What can be in a folder of a backup that was broken off. */
const ours = /^(blobs|telex\.db[.-]?[a-z-]*)$/;

/**
 * `telex backup`. The database first, files after: each file that the copied records name was there when they were copied,
 * and files never change. The other way round, a file that was uploaded between the two would be named and missing. What
 * has gone between the two was taken away by a sweep, and then the backup forgets it as well. Until all of it is there the
 * folder has another name.
 */
export async function runBackup(command: Command, folder: string, skipDamaged: boolean): Promise<void> {
  const config = await configOf(command);
  const file = sqliteFileOf(config);
  const target = resolve(folder);
  const partial = `${target}.partial`;
  await assertFree(target);
  await removeLeftover(partial);
  const live = await openStorage(config, "operate");
  try {
    await makeFolder(partial);
    await copyDatabase(file, join(partial, "telex.db"));
    const backup = await copyWithProgress(command, { live, partial, skipDamaged });
    await finish(partial, target);
    report(command, target, backup);
  } finally {
    await live.storage.close();
  }
}

async function assertFree(target: string): Promise<void> {
  if (existsSync(target) && (await readdir(target)).length > 0) {
    throw new Failure("target_not_empty", `${target} is not empty: name a new folder.`);
  }
}

async function removeLeftover(partial: string): Promise<void> {
  const names = existsSync(partial) ? await readdir(partial) : [];
  const foreign = names.find((name) => !ours.test(name));
  if (foreign !== undefined) {
    throw new Failure(
      "target_not_empty",
      `${partial} contains ${foreign}, which does not belong to a backup. Remove the folder first.`,
    );
  }
  await rm(partial, { recursive: true, force: true });
}

async function copyDatabase(file: string, target: string): Promise<void> {
  const { backupSqlite } = await import("@telex/storage-sqlite");
  try {
    backupSqlite({ file, target });
  } catch (error) {
    refuseFile(error);
  }
}

/** Where a backup comes from and goes to. */
interface Work {
  readonly live: Pick<Opened, "storage" | "blobs">;
  readonly partial: string;
  readonly skipDamaged: boolean;
}

async function copyWithProgress(command: Command, work: Work): Promise<Backup> {
  const bar = createProgressBar(commonOf(command));
  try {
    return await copyBlobs(work, (done, total) => bar.show({ phase: "files", done, total }));
  } finally {
    bar.end();
  }
}

/**
 * Copies the files that the copied database names, and takes out of it those that have gone since.
 * @throws Failure `damaged_file` (as a rejection)
 */
export async function copyBlobs(
  { live, partial, skipDamaged }: Work,
  progress: (done: number, total: number) => void,
): Promise<Backup> {
  const [{ createSqliteStorage }, { createFsBlobs }] = await Promise.all([
    import("@telex/storage-sqlite"),
    import("@telex/blobs/fs"),
  ]);
  const copy = await createSqliteStorage({ file: join(partial, "telex.db") });
  try {
    const to: BlobStore = createFsBlobs({ directory: join(partial, "blobs"), floor: 0 });
    const source = { records: copy.records, blobs: live.blobs };
    const files = await copyFiles(source, to, { skipDamaged: true, progress });
    const damaged = await forgetSwept(files.damaged, live.storage, copy);
    const [first] = damaged;
    if (first !== undefined && !skipDamaged) throw damagedFile(first);
    return { ...files, damaged, swept: files.damaged.length - damaged.length };
  } finally {
    await copy.close();
  }
}

const damagedFile = ({ md5, fault }: DamagedFile): Failure =>
  new Failure(
    "damaged_file",
    `The bytes of file ${md5} are ${fault}. With --skip-damaged such files are left out of the backup.`,
  );

/** Takes out of the copy what is no longer there, and answers what is damaged: missing although it is still named. */
async function forgetSwept(
  missing: readonly DamagedFile[],
  live: Storage,
  copy: Storage,
): Promise<readonly DamagedFile[]> {
  const damaged: DamagedFile[] = [];
  for (const file of missing) {
    const [now, then] = await Promise.all([live.bucket.findFile(file.md5), copy.bucket.findFile(file.md5)]);
    if (now !== null && now.blobId === then?.blobId) damaged.push(file);
    else await copy.bucket.takeFile(file.md5);
  }
  return damaged;
}

/** Checks the copy and gives it its name. */
async function finish(partial: string, target: string): Promise<void> {
  const { verifySqlite } = await import("@telex/storage-sqlite");
  const [fault] = verifySqlite({ file: join(partial, "telex.db") });
  if (fault !== undefined) throw new Failure("backup_damaged", `The copy of the database is damaged: ${fault}`);
  await syncFolder(partial);
  await rename(partial, target);
  await syncFolder(dirname(target));
}

function report(command: Command, target: string, { count, bytes, damaged, swept }: Backup): void {
  if (commonOf(command).json === true) {
    printJson({ backup: target, files: count, bytes, swept, damaged });
    return;
  }
  const talk = talkOf(command);
  talk.done(`A complete copy is in ${target}: the database, and ${count} files with ${bytes} bytes.`);
  for (const { md5, fault } of damaged) talk.warn(`File ${md5} was left out: its bytes are ${fault}.`);
}
