import { Failure } from "../errors/errors.ts";
import { manifestName, type BackupFolder } from "./backup-folder.ts";
import { findBackups, isBackup } from "./retention.ts";

/** The folder itself if it is a backup, otherwise the newest backup in it. */
export async function newestIn(folder: BackupFolder): Promise<BackupFolder> {
  if (await isBackup(folder)) return folder;
  const names = (await findBackups(folder)).filter(({ isComplete }) => isComplete).map(({ name }) => name);
  const newest = names.toSorted().at(-1);
  if (newest !== undefined) return folder.child(newest);
  throw new Failure(
    "backup_missing",
    `There is no complete backup at ${folder.name}: ${manifestName} is missing. It is written last, so an interrupted backup has none.`,
  );
}
