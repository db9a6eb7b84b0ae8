import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { BlobStore } from "@telex/core/storage";
import { copyFiles, type FilesReport } from "@telex/transfer";
import { openBlobs, shownPlace } from "../storage/blobs.ts";
import { Failure } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { incompleteStorage } from "../storage/place.ts";
import { readIfThere, syncFolder, writeDurably } from "../transfer/durable.ts";
import type { ProgressBar } from "../transfer/progress.ts";
import { sqlitePathOf } from "../transfer/sqlite-file.ts";
import { stateFileOf } from "../transfer/state-file.ts";
import { fieldOf, jsonOf } from "../input/unknown.ts";
import { type Backup, blobsIn, openBackup } from "./opened-backup.ts";
import type { BackupFolder } from "./backup-folder.ts";
import type { Restored, Wanted } from "./restored.ts";
import { inWorkFolder } from "./work-folder.ts";

/** The database gets its name last. Until then, a file next to it marks it as incomplete, so that no server starts with it. */
export async function restoreToSqlite(config: Config, { folder, identity, bar }: Wanted): Promise<Restored> {
  const file = sqlitePathOf(config);
  const blobsPlace = config.get(settings.blobs);
  const blobs = await openBlobs(config, { place: blobsPlace, floor: 0 });
  try {
    await assertFree({ file, folder, blobs, blobsPlace: shownPlace(blobsPlace) });
    return await inWorkFolder({ parent: dirname(file), prefix: ".restore-" }, async (work) => {
      const { backup, database } = await openBackup({ folder, work, identity, bar });
      return { name: file, files: await restore({ file, database, backup, blobs, bar }) };
    });
  } finally {
    await blobs.close();
  }
}

/** Files that SQLite keeps next to a database. It would replay those of an earlier database into the restored one. */
const companionSuffixes = ["-wal", "-shm", "-journal"];

interface Free {
  readonly file: string;
  readonly folder: BackupFolder;
  readonly blobs: BlobStore;
  readonly blobsPlace: string;
}

/** Rejects existing files, except the remains of an interrupted restore of the same backup. */
async function assertFree(free: Free): Promise<void> {
  const state = await readIfThere(stateFileOf(free.file));
  if (state === null) return await assertEmpty(free);
  if (fieldOf(jsonOf(state), "restore") !== free.folder.name) throw incompleteStorage(free.file);
}

async function assertEmpty({ file, blobs, blobsPlace }: Free): Promise<void> {
  const advice = "Restore into an empty folder: name it with --data.";
  for (const path of [file, ...companionSuffixes.map((suffix) => file + suffix)]) {
    if (existsSync(path)) throw new Failure("target_not_empty", `${path} exists already. ${advice}`);
  }
  for await (const _ of blobs.list())
    throw new Failure("target_not_empty", `${blobsPlace} already contains files of an installation. ${advice}`);
}

interface Work {
  readonly file: string;
  /** The path of the restored database, on the same file system. */
  readonly database: string;
  readonly backup: Backup;
  readonly blobs: BlobStore;
  readonly bar: ProgressBar;
}

async function restore({ file, database, backup, blobs, bar }: Work): Promise<FilesReport> {
  await writeDurably(stateFileOf(file), JSON.stringify({ restore: backup.folder.name }));
  const files = await fetchFiles({ database, backup, blobs, bar });
  await rename(database, file);
  await syncFolder(dirname(file));
  await rm(stateFileOf(file));
  await syncFolder(dirname(file));
  return files;
}

/** Fetches the files, and reports those that were already damaged when the backup was made. */
async function fetchFiles({ database, backup, blobs, bar }: Omit<Work, "file">): Promise<FilesReport> {
  const { createSqliteStorage } = await import("@telex/storage-sqlite");
  const copy = await createSqliteStorage({ file: database });
  const progress = (done: number, total: number): void => bar.show({ phase: "files", done, total });
  try {
    return await copyFiles({ records: copy.records, blobs: blobsIn(backup) }, blobs, { skipDamaged: true, progress });
  } finally {
    await copy.close();
  }
}
