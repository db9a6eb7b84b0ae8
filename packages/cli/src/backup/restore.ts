import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BlobStore, ByteStream } from "@telex/core/storage";
import { copyFiles, type FilesReport } from "@telex/core/transfer";
import type { Command } from "commander";
import { openBlobs, shownPlace } from "../blobs.ts";
import { commonOf, configOf, talkOf } from "../command.ts";
import { codeOf, Failure } from "../errors.ts";
import { printJson } from "../output.ts";
import { settings } from "../settings/table.ts";
import { incompleteStorage, refuseFile } from "../storage.ts";
import { syncFolder, writeDurably } from "../transfer/durable.ts";
import { createProgressBar } from "../transfer/progress.ts";
import { sqlitePathOf } from "../transfer/sqlite-file.ts";
import { stateFileOf } from "../transfer/state-file.ts";
import { fieldOf } from "../unknown.ts";
import { type Entry, type Manifest, measured, readManifest } from "./manifest.ts";
import { openPlace } from "./open-place.ts";
import { databaseName, manifestName, type Place, sealedSuffix } from "./place.ts";
import { findBackups, isBackup } from "./retention.ts";
import { createDecryption, type Seal } from "./seal.ts";
import { blobPath } from "./sink.ts";
import { inWorkFolder } from "./work-folder.ts";

/**
 * `telex restore`. Every file of the backup is compared with the manifest before anything is written where it belongs. The database gets
 * its name last, and until then a file next to it says that it is not complete, so that no server starts on a part.
 */
export async function runRestore(command: Command, address: string, identity: string | null): Promise<void> {
  const config = await configOf(command);
  const file = sqlitePathOf(config, "restore");
  const place = await newestIn(await openPlace(config, address));
  const blobsPlace = config.get(settings.blobs);
  const blobs = await openBlobs(config, { place: blobsPlace, floor: 0 });
  try {
    await assertFree({ file, place, blobs, blobsPlace: shownPlace(blobsPlace) });
    await inWorkFolder({ parent: dirname(file), prefix: ".restore-" }, async (work) => {
      const backup = await openBackup(place, work, identity);
      const files = await restore(command, { file, work, backup, blobs });
      report(command, { file, place, files });
    });
  } finally {
    await blobs.close();
  }
}

/** The place itself if it is a backup, otherwise the newest one in it. */
async function newestIn(place: Place): Promise<Place> {
  if (await isBackup(place)) return place;
  const names = (await findBackups(place)).filter(({ isComplete }) => isComplete).map(({ name }) => name);
  const newest = names.toSorted().at(-1);
  if (newest !== undefined) return place.child(newest);
  throw new Failure(
    "backup_missing",
    `There is no complete backup at ${place.name}: ${manifestName} is missing. It is written last, so an interrupted backup has none.`,
  );
}

/** What SQLite keeps next to a database. It would play such a file of an earlier database into the restored one. */
const besides = ["-wal", "-shm", "-journal"];

interface Free {
  readonly file: string;
  readonly place: Place;
  readonly blobs: BlobStore;
  readonly blobsPlace: string;
}

/** Nothing is overwritten, except what an interrupted restore of the same backup has left. */
async function assertFree({ file, place, blobs, blobsPlace }: Free): Promise<void> {
  const state = await readFile(stateFileOf(file), "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
  if (state !== null) {
    if (restoredFrom(state) === place.name) return;
    throw incompleteStorage(file);
  }
  const advice = "Restore into an empty folder: name it with --data.";
  for (const there of [file, ...besides.map((suffix) => file + suffix)]) {
    if (existsSync(there)) throw new Failure("target_not_empty", `${there} exists already. ${advice}`);
  }
  for await (const _ of blobs.list()) {
    throw new Failure("target_not_empty", `${blobsPlace} already contains files of an installation. ${advice}`);
  }
}

function restoredFrom(state: string): unknown {
  try {
    return fieldOf(JSON.parse(state), "restore");
  } catch {
    return null;
  }
}

/** A backup that can be read. */
interface Backup {
  readonly place: Place;
  readonly manifest: Manifest;
  /** Decrypts a file; null if files are not encrypted. */
  readonly unseal: Seal | null;
}

async function openBackup(place: Place, work: string, identity: string | null): Promise<Backup> {
  const path = join(work, manifestName);
  await save(await openFile(place, manifestName), path);
  const manifest = await readManifest(path, place.name);
  if (!manifest.isEncrypted && identity !== null) throw notEncrypted(place);
  if (!manifest.isEncrypted) return { place, manifest, unseal: null };
  if (identity !== null) return { place, manifest, unseal: await createDecryption(identity) };
  const message = `${place.name} is encrypted. Name the file with your secret key of age: --identity <file>.`;
  throw new Failure("identity_missing", message);
}

/** Somebody may have put another backup in the place of an encrypted one. */
const notEncrypted = ({ name }: Place): Failure =>
  new Failure("backup_not_encrypted", `${name} is not encrypted. If that is right, restore it without --identity.`);

async function openFile(place: Place, name: string): Promise<ByteStream> {
  const stream = await place.open(name);
  if (stream !== null) return stream;
  throw new Failure("backup_incomplete", `${name} is missing from the backup ${place.name}, which cannot be restored.`);
}

const save = async (bytes: ByteStream, path: string): Promise<void> =>
  await pipeline(bytes, createWriteStream(path, { mode: 0o600, flush: true }));

interface Work {
  readonly file: string;
  readonly work: string;
  readonly backup: Backup;
  readonly blobs: BlobStore;
}

async function restore(command: Command, { file, work, backup, blobs }: Work): Promise<FilesReport> {
  const bar = createProgressBar(commonOf(command));
  try {
    const database = await fetchDatabase(backup, work);
    await verifyFiles(backup, (done, total) => bar.show({ phase: "check", done, total }));
    await writeDurably(stateFileOf(file), JSON.stringify({ restore: backup.place.name }));
    const files = await fetchFiles(backup, database, blobs, (done, total) => bar.show({ phase: "files", done, total }));
    await rename(database, file);
    await syncFolder(dirname(file));
    await rm(stateFileOf(file));
    await syncFolder(dirname(file));
    return files;
  } finally {
    bar.end();
  }
}

const drain = async (bytes: ByteStream): Promise<void> => {
  for await (const _ of bytes);
};

/** Compares a file of the backup with its line in the manifest, while `consume` reads it. */
async function verify({ place }: Backup, { name, sha256 }: Entry, consume = drain): Promise<void> {
  const { stream, result } = measured(await openFile(place, name));
  await consume(stream);
  if (result().sha256 === sha256) return;
  throw new Failure(
    "backup_damaged",
    `${name} in the backup ${place.name} was changed or is damaged: its SHA-256 is not the one in ${manifestName}.`,
  );
}

const isDatabase = ({ name }: Entry): boolean => name === databaseName || name === databaseName + sealedSuffix;

/** The database first: it shows whether the key is the right one, and whether this Telex can read it. */
async function fetchDatabase(backup: Backup, work: string): Promise<string> {
  const { verifySqlite } = await import("@telex/storage-sqlite");
  const path = join(work, databaseName);
  for await (const entry of backup.manifest.entries()) {
    if (!isDatabase(entry)) continue;
    const fetched = backup.unseal === null ? path : path + sealedSuffix;
    await verify(backup, entry, async (bytes) => await save(bytes, fetched));
    if (backup.unseal !== null) await save(await backup.unseal(createReadStream(fetched)), path);
  }
  if (!existsSync(path)) throw new Failure("backup_damaged", `The backup ${backup.place.name} has no database.`);
  try {
    const [fault] = verifySqlite({ file: path });
    if (fault !== undefined) throw new Failure("backup_damaged", `The database in the backup is damaged: ${fault}`);
  } catch (error) {
    refuseFile(error);
  }
  return path;
}

type Progress = (done: number, total: number) => void;

async function verifyFiles(backup: Backup, progress: Progress): Promise<void> {
  let done = 0;
  for await (const entry of backup.manifest.entries()) {
    if (!isDatabase(entry)) await verify(backup, entry);
    progress((done += 1), backup.manifest.files);
  }
}

/** The files of a backup, as a blob store that is only read. */
function blobsIn({ place, manifest, unseal }: Backup): Pick<BlobStore, "open" | "list"> {
  const suffix = unseal === null ? "" : sealedSuffix;
  return {
    async open(blobId) {
      const stream = await place.open(blobPath(blobId) + suffix);
      return stream === null || unseal === null ? stream : await unseal(stream);
    },
    async *list() {
      for await (const entry of manifest.entries()) {
        const blobId = entry.name.slice("blobs/00/".length, entry.name.length - suffix.length);
        if (!isDatabase(entry)) yield { blobId, size: entry.size, createdAt: 0 };
      }
    },
  };
}

/** Files that the backup left out, because they were damaged when it was made, are reported. */
async function fetchFiles(backup: Backup, database: string, to: BlobStore, progress: Progress): Promise<FilesReport> {
  const { createSqliteStorage } = await import("@telex/storage-sqlite");
  const copy = await createSqliteStorage({ file: database });
  try {
    const source = { records: copy.records, blobs: blobsIn(backup) };
    return await copyFiles(source, to, { skipDamaged: true, progress });
  } finally {
    await copy.close();
  }
}

interface Restored {
  readonly file: string;
  readonly place: Place;
  readonly files: FilesReport;
}

function report(command: Command, { file, place, files: { count, bytes, damaged } }: Restored): void {
  if (commonOf(command).json === true) {
    printJson({ restored: file, backup: place.name, files: count, bytes, damaged });
    return;
  }
  const talk = talkOf(command);
  talk.done(`${place.name} was restored to ${file}: the database, and ${count} files with ${bytes} bytes.`);
  for (const { md5, fault } of damaged) talk.warn(`File ${md5} is not in the backup: its bytes were ${fault}.`);
}
