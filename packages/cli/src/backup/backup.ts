import { createReadStream } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import type { Command } from "commander";
import { commonOf, configOf, printResult, talkOf } from "../options/command.ts";
import { Failure } from "../errors/errors.ts";
import type { Talk } from "../terminal/talk.ts";
import { createProgressBar } from "../transfer/progress.ts";
import { writeManifest } from "./manifest.ts";
import { openFolder } from "./open-folder.ts";
import { databaseName, manifestName, type BackupFolder, type Target } from "./backup-folder.ts";
import { dateName, isBackup, type Retention, retire } from "./retention.ts";
import { createEncryption } from "./seal.ts";
import { createSink, type Sink } from "./sink.ts";
import { openSource, type Source } from "./source.ts";
import { inWorkFolder } from "./work-folder.ts";
import { type Files, copyBlobs } from "./copy-blobs.ts";

export interface BackupOptions {
  readonly skipDamaged: boolean;
  /** Public keys of age. Empty: no encryption. */
  readonly recipients: readonly string[];
  /** For a folder with several backups: which older ones to keep. */
  readonly retention: Retention | null;
}

/**
 * `telex backup`. The database is copied first: all files that it names existed at that moment, and files never change. In the other
 * order, a file that is uploaded between the two copies would be named and missing. A file that disappears between them was swept, and
 * the backup drops it, too. The manifest is written last: a backup without it is incomplete.
 */
export async function runBackup(command: Command, address: string, options: BackupOptions): Promise<void> {
  const config = await configOf(command);
  const folder = await openFolder(config, address);
  const now = new Date();
  const chosen = options.retention === null ? folder : folder.child(dateName(now));
  const seal = options.recipients.length === 0 ? null : await createEncryption(options.recipients);
  if (chosen !== folder) await refuseInside(folder);
  const header = { createdAt: now.toISOString(), isEncrypted: seal !== null };
  const source = await openSource(config);
  try {
    const target = await chosen.begin();
    const made = await whereToWork(source, target, seal !== null, async (work) => {
      await using manifest = await writeManifest(join(work, partialManifest), header);
      const sink = createSink({ target, seal, manifest });
      return await fill(command, { work, source, target, sink, skipDamaged: options.skipDamaged });
    });
    await target.complete();
    const removed = options.retention === null ? [] : await retire(folder, options.retention, now);
    printResult(command, reportOf(chosen, made, removed), (report) => show(report, talkOf(command)));
  } finally {
    await source.close();
  }
}

/** Rejects a backup inside another one, which would be removed with it. */
async function refuseInside(folder: BackupFolder): Promise<void> {
  if (!(await isBackup(folder))) return;
  throw new Failure("target_not_empty", `${folder.name} is a backup itself. For several backups, name another place.`);
}

/** Copies the database into the target if only its owner can read it there, otherwise into the installation. */
async function whereToWork<T>(
  source: Source,
  { folder }: Target,
  isEncrypted: boolean,
  run: (work: string) => Promise<T>,
): Promise<T> {
  if (folder !== null && !isEncrypted) return await run(folder);
  return await inWorkFolder(source.work, run);
}

/** The name of an incomplete manifest. */
const partialManifest = `${manifestName}.partial`;

interface Parts {
  readonly work: string;
  readonly source: Source;
  readonly target: Target;
  readonly sink: Sink;
  readonly skipDamaged: boolean;
}

async function fill(command: Command, { work, source, target, sink, skipDamaged }: Parts): Promise<Files> {
  const snapshot = join(work, databaseName);
  const bar = createProgressBar(commonOf(command));
  try {
    await source.copyTo(snapshot, bar.show);
    const progress = (done: number, total: number): void => bar.show({ phase: "files", done, total });
    const files = await copyBlobs({ live: source, snapshot, to: sink.blobs, skipDamaged }, progress);
    await assertSound(snapshot);
    const isThere = work === target.folder;
    await (isThere
      ? sink.note(databaseName, createReadStream(snapshot))
      : sink.write(databaseName, createReadStream(snapshot)));
    await sink.end();
    await source.assertAlone();
    const manifest = join(work, partialManifest);
    await (isThere ? rename(manifest, join(work, manifestName)) : target.put(manifestName, createReadStream(manifest)));
    return files;
  } finally {
    bar.end();
  }
}

async function assertSound(snapshot: string): Promise<void> {
  const { verifySqlite } = await import("@telex/storage-sqlite");
  const [fault] = verifySqlite({ file: snapshot });
  if (fault !== undefined) throw new Failure("backup_damaged", `The copy of the database is damaged: ${fault}`);
}

const reportOf = ({ name }: BackupFolder, { count, bytes, swept, damaged }: Files, removed: readonly string[]) => ({
  backup: name,
  files: count,
  bytes,
  swept,
  damaged,
  removed,
});

function show({ backup, files, bytes, damaged, removed }: ReturnType<typeof reportOf>, talk: Talk): void {
  talk.done(`A complete copy is in ${backup}: the database, and ${files} files with ${bytes} bytes.`);
  for (const one of removed) talk.note(`The older backup ${one} was removed.`);
  for (const { md5, fault } of damaged) talk.warn(`File ${md5} was left out: its bytes are ${fault}.`);
}
