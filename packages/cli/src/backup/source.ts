import { dirname } from "node:path";
import { TelexError } from "@telex/core";
import { copySnapshot, TransferError, type TransferProgress } from "@telex/transfer";
import type { MongoStorage } from "@telex/storage-mongo";
import { Failure } from "../errors/errors.ts";
import { lockMongo } from "../storage/mongo-lock.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { openStorage } from "../storage/storage.ts";
import { isMongo, namedPlace, openMongoWith, withoutUser } from "../storage/mongo.ts";
import type { Opened } from "../storage/opened.ts";
import { refuseFile } from "../storage/place.ts";
import { refuseTransfer } from "../transfer/copy.ts";
import { sqliteFileOf } from "../transfer/sqlite-file.ts";
import { mongoWork, type WorkFolders } from "./work-folder.ts";

/** An installation to back up, possibly while servers use it. */
export interface Source extends Pick<Opened, "storage" | "blobs"> {
  /** The folder for the copy of the database if it must not be made in the backup itself. */
  readonly work: WorkFolders;
  /**
   * Copies all records as of one moment into a new SQLite database.
   * @throws Failure (as a rejection)
   */
  copyTo(target: string, progress: (progress: TransferProgress) => void): Promise<void>;
  /** @throws Failure `storage_in_use` (as a rejection) if another backup has begun because this one lost the database */
  assertAlone(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens the storage of the settings. An installation allows one backup at a time, because two backups to one place would each remove
 * the files of the other as remains of an interrupted one.
 * @throws Failure `storage_missing`, `storage_in_use` (as a rejection)
 */
export async function openSource(config: Config): Promise<Source> {
  const url = config.get(settings.storage);
  return isMongo(url) ? await openMongo(config, url) : await openSqlite(config);
}

async function openSqlite(config: Config): Promise<Source> {
  const file = sqliteFileOf(config);
  const { backupSqlite, BackupLock } = await import("@telex/storage-sqlite");
  const { storage, blobs } = await openStorage(config, "operate");
  const attempt = <T>(work: () => T): T => {
    try {
      return work();
    } catch (error) {
      return refuseFile(error);
    }
  };
  try {
    const lock = attempt(() => new BackupLock(file));
    return {
      storage,
      blobs,
      work: { parent: dirname(file), prefix: ".backup-" },
      copyTo: async (target) => attempt(() => backupSqlite({ file, target })),
      assertAlone: async () => undefined,
      async close() {
        lock.release();
        await storage.close();
      },
    };
  } catch (error) {
    await storage.close();
    throw error;
  }
}

async function openMongo(config: Config, url: string): Promise<Source> {
  const name = withoutUser(url);
  const { storage, blobs } = await openMongoWith(config, { url, place: namedPlace(config), create: false });
  const lock = await lockMongo(storage, "backup", `Another backup of ${name}`);
  return {
    storage,
    blobs,
    work: mongoWork(config, "backup", name),
    copyTo: async (target, progress) => await copyMongo(storage, target, progress),
    assertAlone: lock.assertHeld,
    async close() {
      await lock.release();
      await storage.close();
    },
  };
}

async function copyInto(file: string, copying: Omit<Parameters<typeof copySnapshot>[0], "to">): Promise<void> {
  const { createSqliteStorage } = await import("@telex/storage-sqlite");
  const to = await createSqliteStorage({ file });
  try {
    await copySnapshot({ ...copying, to: to.records });
  } finally {
    await to.close();
  }
}

async function copyMongo(
  storage: MongoStorage,
  file: string,
  progress: (progress: TransferProgress) => void,
): Promise<void> {
  const from = storage.openSnapshot();
  try {
    await copyInto(file, { from, total: await from.estimate(), progress });
  } catch (error) {
    if (isFull(error)) throw noRoom(dirname(file), error);
    refuse(error);
  } finally {
    await from.close();
  }
}

const refuse = (error: unknown): never => (error instanceof TransferError ? refuseTransfer(error) : refuseFile(error));

/** Backing up only reads MongoDB, so a full disk is the one of this machine. */
const isFull = (error: unknown): boolean => TelexError.is(error) && error.code === "storage_full";

const noRoom = (folder: string, cause: unknown): Failure =>
  new Failure("storage_full", `${folder} has too little room for the copy of the database.`, { cause });
