import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { BlobStore, ByteStream } from "@telex/core/storage";
import { Failure } from "../errors/errors.ts";
import { refuseFile } from "../storage/place.ts";
import type { ProgressBar } from "../transfer/progress.ts";
import { type Entry, type Manifest, measured, readManifest } from "./manifest.ts";
import { databaseName, manifestName, type BackupFolder, sealedSuffix } from "./backup-folder.ts";
import { createDecryption, type Seal } from "./seal.ts";
import { blobPath, drain } from "./sink.ts";

/** An open backup. */
export interface Backup {
  readonly folder: BackupFolder;
  readonly manifest: Manifest;
  /** Decrypts a file; null if files are not encrypted. */
  readonly unseal: Seal | null;
}

interface Opening {
  readonly folder: BackupFolder;
  /** A folder that must exist while the backup is read. */
  readonly work: string;
  readonly identity: string | null;
  readonly bar: ProgressBar;
}

/**
 * Compares every file of a backup with the manifest, and fetches its database.
 * @returns the backup, and the path of the database
 * @throws Failure (as a rejection) with the fault of the backup
 */
export async function openBackup({ bar, ...opening }: Opening): Promise<{ backup: Backup; database: string }> {
  const backup = await readBackup(opening);
  const database = await fetchDatabase(backup, opening.work);
  await verifyFiles(backup, (done, total) => bar.show({ phase: "check", done, total }));
  return { backup, database };
}

async function readBackup({ folder, work, identity }: Omit<Opening, "bar">): Promise<Backup> {
  const path = join(work, manifestName);
  await save(await openFile(folder, manifestName), path);
  const manifest = await readManifest(path, folder.name);
  return { folder, manifest, unseal: await unsealOf(folder, manifest, identity) };
}

async function unsealOf(
  folder: BackupFolder,
  { isEncrypted }: Manifest,
  identity: string | null,
): Promise<Seal | null> {
  if (!isEncrypted && identity !== null) throw notEncrypted(folder);
  if (!isEncrypted) return null;
  if (identity === null) throw noIdentity(folder);
  return await createDecryption(identity);
}

const noIdentity = ({ name }: BackupFolder): Failure =>
  new Failure(
    "identity_missing",
    `${name} is encrypted. Name the file with your secret key of age: --identity <file>.`,
  );

/** An attacker may have replaced an encrypted backup with an unencrypted one. */
const notEncrypted = ({ name }: BackupFolder): Failure =>
  new Failure("backup_not_encrypted", `${name} is not encrypted. If that is right, restore it without --identity.`);

async function openFile(folder: BackupFolder, name: string): Promise<ByteStream> {
  const stream = await folder.open(name);
  if (stream !== null) return stream;
  throw new Failure(
    "backup_incomplete",
    `${name} is missing from the backup ${folder.name}, which cannot be restored.`,
  );
}

const save = async (bytes: ByteStream, path: string): Promise<void> =>
  await pipeline(bytes, createWriteStream(path, { mode: 0o600, flush: true }));

const damaged = (folder: BackupFolder, name: string): Failure =>
  new Failure(
    "backup_damaged",
    `${name} in the backup ${folder.name} was changed or is damaged: its SHA-256 is not the one in ${manifestName}.`,
  );

/** Compares a file with its line in the manifest while `consume` reads it. */
async function verify({ folder }: Backup, { name, sha256 }: Entry, consume = drain): Promise<void> {
  const { stream, result } = measured(await openFile(folder, name));
  await consume(stream);
  if (result().sha256 !== sha256) throw damaged(folder, name);
}

const isDatabase = ({ name }: Entry): boolean => name === databaseName || name === databaseName + sealedSuffix;

/** Fetches the database first, which shows whether the key is right and whether this version can read it. */
async function fetchDatabase(backup: Backup, work: string): Promise<string> {
  const path = join(work, databaseName);
  for await (const entry of backup.manifest.entries()) {
    if (isDatabase(entry)) await fetchEntry(backup, entry, path);
  }
  if (!existsSync(path)) throw new Failure("backup_damaged", `The backup ${backup.folder.name} has no database.`);
  await assertSound(path);
  return path;
}

async function fetchEntry(backup: Backup, entry: Entry, path: string): Promise<void> {
  const fetched = backup.unseal === null ? path : path + sealedSuffix;
  await verify(backup, entry, async (bytes) => await save(bytes, fetched));
  if (backup.unseal !== null) await save(await backup.unseal(createReadStream(fetched)), path);
}

async function assertSound(path: string): Promise<void> {
  const { verifySqlite } = await import("@telex/storage-sqlite");
  try {
    const [fault] = verifySqlite({ file: path });
    if (fault !== undefined) throw new Failure("backup_damaged", `The database in the backup is damaged: ${fault}`);
  } catch (error) {
    refuseFile(error);
  }
}

async function verifyFiles(backup: Backup, progress: (done: number, total: number) => void): Promise<void> {
  let done = 0;
  for await (const entry of backup.manifest.entries()) {
    if (!isDatabase(entry)) await verify(backup, entry);
    progress((done += 1), backup.manifest.files);
  }
}

/** The files of a backup, as a read-only blob store. */
export function blobsIn({ folder, manifest, unseal }: Backup): Pick<BlobStore, "open" | "list"> {
  const suffix = unseal === null ? "" : sealedSuffix;
  return {
    async open(blobId) {
      const stream = await folder.open(blobPath(blobId) + suffix);
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
