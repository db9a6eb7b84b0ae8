import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BlobStore } from "@telex/core";
import type { RecordStore } from "@telex/core/storage";
import type { TransferLog, TransferReport } from "@telex/transfer";
import { openBlobs } from "../storage/blobs.ts";
import { Failure } from "../errors/errors.ts";
import { assertUnused, lockMongo } from "../storage/mongo-lock.ts";
import type { Config } from "../settings/load.ts";
import { incompleteStorage, makeFolder, refuseFile } from "../storage/place.ts";
import { openMongoWith, withoutUser } from "../storage/mongo.ts";
import { openWith, schemeOf } from "../storage/opened.ts";
import { assertExport, hasManifest, writeManifest } from "./manifest.ts";
import { NdjsonRecords } from "./ndjson.ts";
import { createStateFile, createStateText, stateFileOf } from "./state-file.ts";
import { type Address, exportUrl, parse } from "./address.ts";

/** One side of a transfer. */
export interface End {
  /** Its address, with an absolute path. */
  readonly name: string;
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  readonly close: () => Promise<void>;
}

/** The side that receives the records. */
export interface Target extends End {
  readonly state: TransferLog;
  /** @throws Failure `storage_in_use` if a server works on it, or another command fills it (as a rejection) */
  readonly assertAlone: () => Promise<void>;
  /** Closes the complete target, and marks the transfer as ended. */
  readonly complete: (report: TransferReport) => Promise<void>;
}

/** True for a folder with an export, complete or not. */
export const isExport = ({ name }: Pick<End, "name">): boolean => schemeOf(name) === "export:";

/** Files are in the database unless a bucket or a driver is named: the same place that a server uses. */
async function openMongo(
  config: Pick<Config, "get">,
  { url, blobs: place }: Address,
  incomplete: boolean,
): Promise<Target> {
  const { storage, blobs } = await openMongoWith(config, { url, place, incomplete });
  const { mark } = storage;
  const name = withoutUser(url);
  // Each of two copies into one database would mistake the records of the other for its own.
  const lock = incomplete ? await lockMongo(storage, "copy", `Another copy into ${name}`) : null;
  const close = async () => {
    await lock?.release();
    await storage.close();
  };
  const assertAlone = async () => {
    await assertUnused(storage, name);
    // Last, because a process that was suspended must not continue in a database that another process has completed.
    await lock?.assertHeld();
  };
  return {
    name,
    records: storage.records,
    blobs,
    close,
    assertAlone,
    // The state is in the database itself, so that no server starts with half an installation.
    state: createStateText(`What is noted in ${name}`, {
      load: mark.load,
      async save(text) {
        await assertAlone();
        await mark.save(text);
      },
    }),
    async complete() {
      await assertAlone();
      await mark.remove();
      await close();
    },
  };
}

async function openSqlite(config: Pick<Config, "get">, file: string, { data, blobs: place }: Address): Promise<End> {
  const { createSqliteStorage } = await import("@telex/storage-sqlite");
  const folder = resolve(data ?? dirname(file));
  await makeFolder(dirname(file));
  await makeFolder(folder);
  const blobs = await openBlobs(config, { place: place ?? join(folder, "blobs"), floor: 0 });
  const open = async () => await createSqliteStorage({ file, exclusive: true }).catch(refuseFile);
  const storage = await openWith(blobs, open);
  return {
    name: `sqlite:${file}`,
    records: storage.records,
    blobs,
    close: async () => await storage.close(),
  };
}

async function openExport(folder: string): Promise<End & { readonly records: NdjsonRecords }> {
  const { createFsBlobs } = await import("@telex/blobs/fs");
  return {
    name: exportUrl(folder),
    records: new NdjsonRecords(join(folder, "records")),
    blobs: createFsBlobs({ directory: join(folder, "files"), floor: 0 }),
    close: () => Promise.resolve(),
  };
}

/** A database must agree with its own counters. */
async function verify(file: string): Promise<void> {
  const { verifySqlite } = await import("@telex/storage-sqlite");
  const [fault] = verifySqlite({ file });
  if (fault !== undefined) throw new Failure("target_damaged", `The copy is damaged: ${fault}`);
}

function refuseBusy(error: unknown): never {
  if (!(error instanceof Failure) || error.error !== "storage_in_use") throw error;
  const advice = "To copy from a running server, make a backup (telex backup) and copy from that.";
  throw new Failure(error.error, `${error.message} ${advice}`, { cause: error });
}

/**
 * Opens the source of a transfer. No server can use it at the same time.
 * @throws Failure if the source does not exist, or a server works on it
 * @throws UsageError for an address that names no storage
 */
export async function openSource(config: Pick<Config, "get">, address: Address): Promise<End> {
  const { scheme, path } = parse(address);
  if (scheme === "export:") {
    const opened = await openExport(path);
    await assertExport(path, opened.records);
    return opened;
  }
  if (scheme === "mongodb:") return await openMongo(config, address, false);
  if (!existsSync(path)) throw new Failure("storage_missing", `There is no database at ${path}.`);
  if (existsSync(stateFileOf(path))) throw incompleteStorage(path);
  return await openSqlite(config, path, address).catch(refuseBusy);
}

/** Only one process can open a SQLite database, and servers do not work on an export. */
const alreadyAlone = (): Promise<void> => Promise.resolve();

/**
 * Opens the target of a transfer, and creates it if it does not exist.
 * @throws Failure if a server works on it, or if it is a complete export
 * @throws UsageError for an address that names no storage
 */
export async function openTarget(config: Pick<Config, "get">, address: Address): Promise<Target> {
  const { scheme, path } = parse(address);
  if (scheme === "mongodb:") return await openMongo(config, address, true);
  if (scheme === "sqlite:") {
    const state = createStateFile(stateFileOf(path));
    await makeFolder(dirname(path));
    if (!existsSync(path) && !existsSync(stateFileOf(path))) await state.begin();
    const opened = await openSqlite(config, path, address);
    const complete = async (): Promise<void> => {
      await opened.close();
      await verify(path);
      await state.remove();
    };
    return { ...opened, state, assertAlone: alreadyAlone, complete };
  }
  if (await hasManifest(path))
    throw new Failure("target_not_empty", `${path} already contains a complete export. Use an empty folder.`);
  await makeFolder(path);
  const state = createStateFile(join(path, "transfer.json"));
  const complete = async (report: TransferReport): Promise<void> => {
    await writeManifest(path, report);
    await state.remove();
  };
  return { ...(await openExport(path)), state, assertAlone: alreadyAlone, complete };
}
