import type { Restored } from "./restored.ts";
import type { Command } from "commander";
import { commonOf, configOf, printResult, talkOf } from "../options/command.ts";
import { settings } from "../settings/table.ts";
import { isMongo } from "../storage/mongo.ts";
import type { Talk } from "../terminal/talk.ts";
import { createProgressBar } from "../transfer/progress.ts";
import { openPlace } from "./open-place.ts";
import { newestIn } from "./find-backup.ts";
import type { Place } from "./place.ts";
import { restoreToMongo } from "./restore-mongo.ts";
import { restoreToSqlite } from "./restore-sqlite.ts";

/** `telex restore`. It verifies every file against the manifest before it writes to the final place. */
export async function runRestore(command: Command, address: string, identity: string | null): Promise<void> {
  const config = await configOf(command);
  const place = await newestIn(await openPlace(config, address));
  const bar = createProgressBar(commonOf(command));
  const restore = isMongo(config.get(settings.storage)) ? restoreToMongo : restoreToSqlite;
  const restored = await restore(config, { place, identity, bar }).finally(bar.end);
  printResult(command, reportOf(place, restored), (report) => show(report, talkOf(command)));
}

const reportOf = (place: Place, { name, files: { count, bytes, damaged } }: Restored) => ({
  restored: name,
  backup: place.name,
  files: count,
  bytes,
  damaged,
});

function show({ restored, backup, files, bytes, damaged }: ReturnType<typeof reportOf>, talk: Talk): void {
  talk.done(`${backup} was restored to ${restored}: the database, and ${files} files with ${bytes} bytes.`);
  for (const { md5, fault } of damaged) talk.warn(`File ${md5} is not in the backup: its bytes were ${fault}.`);
}
