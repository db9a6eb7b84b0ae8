import type { Restored } from "./restored.ts";
import type { Command } from "commander";
import { commonOf, configOf, printResult, talkOf } from "../options/command.ts";
import { settings } from "../settings/table.ts";
import { isMongo } from "../storage/mongo.ts";
import type { Talk } from "../terminal/talk.ts";
import { createProgressBar } from "../transfer/progress.ts";
import { openFolder } from "./open-folder.ts";
import { newestIn } from "./find-backup.ts";
import type { BackupFolder } from "./backup-folder.ts";
import { restoreToMongo } from "./restore-mongo.ts";
import { restoreToSqlite } from "./restore-sqlite.ts";

/** `telex restore`. It verifies every file against the manifest before it writes to the storage. */
export async function runRestore(command: Command, address: string, identity: string | null): Promise<void> {
  const config = await configOf(command);
  const folder = await newestIn(await openFolder(config, address));
  const bar = createProgressBar(commonOf(command));
  const restore = isMongo(config.get(settings.storage)) ? restoreToMongo : restoreToSqlite;
  const restored = await restore(config, { folder, identity, bar }).finally(bar.end);
  printResult(command, reportOf(folder, restored), (report) => show(report, talkOf(command)));
}

const reportOf = (folder: BackupFolder, { name, files: { count, bytes, damaged } }: Restored) => ({
  restored: name,
  backup: folder.name,
  files: count,
  bytes,
  damaged,
});

function show({ restored, backup, files, bytes, damaged }: ReturnType<typeof reportOf>, talk: Talk): void {
  talk.done(`${backup} was restored to ${restored}: the database, and ${files} files with ${bytes} bytes.`);
  for (const { md5, fault } of damaged) talk.warn(`File ${md5} is not in the backup: its bytes were ${fault}.`);
}
