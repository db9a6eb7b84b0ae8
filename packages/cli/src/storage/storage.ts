import { existsSync, statSync } from "node:fs";
import { mkdir, open, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { BlobStore, Bus, Logger, Storage } from "@telex/core";
import type * as storageMongo from "@telex/storage-mongo";
import { isFolder, openBlobs, shownPlace } from "./blobs.ts";
import type { OpenBlobs } from "./open-blobs.ts";
import { codeOf, Failure, installed, messageOf, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { flagOf } from "../settings/setting.ts";
import { settings } from "../settings/table.ts";

/**
 * The purpose of opening a storage: `serve` for one server, `operate` for commands on existing data, also while a server runs,
 * and `add` for commands that create a missing storage.
 */
type Purpose = "serve" | "operate" | "add";

/** Records and files of one installation. */
export interface Opened {
  readonly storage: Storage;
  readonly blobs: BlobStore;
  /** Where commands that change the storage append what they did; null where no other process could. */
  readonly securityLog: string | null;
  /** Makes what connects the servers that share the storage; null if only one server can use it. */
  readonly createBus: ((log: Logger) => Bus) | null;
}

interface Scheme {
  open(rest: string, config: Config, purpose: Purpose, log: Logger | undefined): Promise<Opened>;
}

/** The storages by the scheme of their address. Each is loaded when it is chosen. */
const schemes: Readonly<Record<string, Scheme>> = {
  "memory:": { open: openMemory },
  "sqlite:": { open: openSqlite },
  "mongodb:": { open: openMongo },
  "mongodb+srv:": { open: openMongo },
};

/** The scheme of a storage address, such as `sqlite:`. */
export const schemeOf = (url: string): string => /^[a-z][a-z0-9+.-]*:/.exec(url)?.[0] ?? "";

/**
 * Opens the storage that the settings name. `serve` and `add` create missing folders.
 * @throws UsageError for an address that names no storage
 * @throws Failure `storage_missing` if there is nothing to operate on
 * @throws TelexError `storage_is_memory` for an operator command, because no other process could see the storage
 */
export async function openStorage(config: Config, purpose: Purpose, log?: Logger): Promise<Opened> {
  const url = config.get(settings.storage);
  const scheme = schemes[schemeOf(url)];
  // The kind of the setting accepts the same schemes.
  if (scheme === undefined) throw new UsageError(`--storage must be ${settings.storage.kind.expected}.`);
  return await scheme.open(url.slice(schemeOf(url).length), config, purpose, log);
}

async function openMemory(rest: string, _config: Config, purpose: Purpose): Promise<Opened> {
  if (rest !== "") throw new UsageError(`memory: must have nothing after the colon, not "${rest}".`);
  const { TelexError } = await import("@telex/core");
  if (purpose !== "serve") throw new TelexError("invalid_request", { reason: "storage_is_memory" });
  const [{ createMemoryStorage }, { createMemoryBlobs }] = await Promise.all([
    import("@telex/storage-memory"),
    import("@telex/blobs/memory"),
  ]);
  return { storage: createMemoryStorage(), blobs: createMemoryBlobs(), securityLog: null, createBus: null };
}

async function openSqlite(rest: string, config: Config, purpose: Purpose): Promise<Opened> {
  const { get } = config;
  if (rest === "") throw new UsageError("sqlite: must name a file, such as sqlite:./telex-data/telex.db.");
  refuseFileAs("data", config);
  refuseFileAs("blobs", config);
  const { createSqliteStorage } = await import("@telex/storage-sqlite");
  const file = resolve(rest);
  const data = resolve(get(settings.data));
  if (existsSync(`${file}.transfer`)) throw incompleteStorage(file);
  const isServer = purpose === "serve";
  const place = get(settings.blobs);
  // Commands of the operator need no additional space for long.
  const blobs = await openBlobs(config, { place, floor: isServer ? get(settings.fileFloor) : 0 });
  const storage = await openWith(blobs, async () => {
    await refuseLost(file, shownPlace(place), blobs);
    if (purpose === "operate" && !existsSync(file)) throw missingStorage(file);
    await makeFolder(dirname(file));
    await makeFolder(data);
    return await createSqliteStorage({ file, exclusive: isServer, floor: get(settings.recordFloor) }).catch(refuseFile);
  });
  return { storage, blobs, securityLog: securityLogOf(file), createBus: null };
}

/** True for the address of a database, without a file, that several servers can share. */
export const isMongo = (url: string): boolean => schemeOf(url).startsWith("mongodb");

/** The address of a MongoDB database for reports and files, without user and password. */
export const withoutUser = (url: string): string => url.replace(/\/\/[^@/]*@/, "//").replace(/\?.*$/, "");

/** The exports of the package that commands use. */
type MongoPackage = Pick<
  typeof storageMongo,
  "createMongoBlobs" | "createMongoBus" | "createMongoStorage" | "createTransferMark"
>;

/**
 * Loads the driver when the first address of a MongoDB is opened.
 * @throws Failure `driver_missing` if the driver is not installed
 */
const loadMongo = (): Promise<MongoPackage> => installed(import("@telex/storage-mongo"), noDriver);

const noDriver = (cause: unknown): Failure =>
  new Failure(
    "driver_missing",
    "The driver of MongoDB is not installed. Install it next to Telex: npm install mongodb@7.",
    { cause },
  );

/** Several servers cannot share a folder, so files are in the database unless the settings name a bucket or a driver. */
async function openMongo(_rest: string, config: Config, _purpose: Purpose, log?: Logger): Promise<Opened> {
  const { get } = config;
  const { createMongoBus } = await loadMongo();
  const data = resolve(get(settings.data));
  await makeFolder(data);
  const { storage, blobs } = await openMongoWith(config, {
    url: get(settings.storage),
    place: namedPlace(config),
    ...(log !== undefined && { log }),
  });
  const { db } = storage.connection;
  return {
    storage,
    blobs,
    securityLog: join(data, "security.log"),
    createBus: (busLog) => createMongoBus({ db, log: busLog }),
  };
}

/** The place of files in the settings; null for none, which means a different place for each kind of storage. */
export const namedPlace = ({ get, rank }: Config): string | null =>
  rank(settings.blobs) === 0 ? null : get(settings.blobs);

/**
 * Opens a MongoDB database, with its files in the place, or in the database if the place is null.
 * @throws UsageError for a folder, which other servers could not see
 */
export async function openMongoWith(
  config: Pick<Config, "get">,
  {
    url,
    place,
    incomplete = false,
    create = true,
    log,
  }: {
    readonly url: string;
    readonly place: string | null;
    readonly incomplete?: boolean;
    readonly create?: boolean;
    readonly log?: Logger;
  },
) {
  if (place !== null && isFolder(place)) {
    const advice = "Leave the folder out, or name a bucket or a driver.";
    throw new UsageError(`The files of MongoDB are in its database, not in the folder ${place}. ${advice}`);
  }
  const { createMongoBlobs, createMongoStorage, createTransferMark } = await loadMongo();
  const openRecords = async () => {
    const storage = await createMongoStorage({ url, incomplete, create, ...(log !== undefined && { log }) }).catch(
      refuseFile,
    );
    return { ...storage, mark: createTransferMark(storage.connection) };
  };
  if (place !== null) {
    const blobs = await openBlobs(config, { place, floor: 0 });
    return { storage: await openWith(blobs, openRecords), blobs };
  }
  const storage = await openRecords();
  return { storage, blobs: createMongoBlobs(storage.connection) };
}

/** Opens a storage that also closes these bytes of files. If it cannot be opened, they are closed as well. */
export async function openWith<S extends Storage>(blobs: OpenBlobs, openRecords: () => Promise<S>): Promise<S> {
  try {
    const storage = await openRecords();
    const close = async (): Promise<void> => {
      await storage.close();
      await blobs.close();
    };
    return { ...storage, close };
  } catch (error) {
    await blobs.close();
    throw error;
  }
}

/** The log of changes by commands, next to the database wherever its files are. */
export const securityLogOf = (file: string): string => join(dirname(file), "security.log");

/** A new database next to the files of an older one would make them all orphans, which the first sweep would delete. */
async function refuseLost(file: string, place: string, blobs: BlobStore): Promise<void> {
  if (existsSync(file) && statSync(file).size > 0) return;
  for await (const _ of blobs.list()) {
    const state = existsSync(file) ? "is empty" : "is missing";
    const advice = "Put the database back, for example from a backup. To begin again, choose another --data.";
    throw new Failure(
      "storage_lost",
      `${file} ${state}, but ${place} contains the files of an installation. ${advice}`,
    );
  }
}

/**
 * Turns the error of an unusable file into a failure with its message.
 * @throws Failure `storage_<fault>`, or the error itself if it is not about a file
 */
export function refuseFile(error: unknown): never {
  const fault = error instanceof Error && "fault" in error ? String(error.fault) : null;
  if (fault === null) throw error;
  throw new Failure(`storage_${fault}`, messageOf(error), { cause: error });
}

/** The failure of a command that finds no storage. It does not create one, because the folder may be mistyped. */
export const missingStorage = (file: string): Failure =>
  new Failure(
    "storage_missing",
    `There is no Telex database at ${file}. Name its folder with --data, or add the first user: telex user add <nickname>.`,
  );

/** The failure for a database into which a copy is incomplete. */
export const incompleteStorage = (file: string): Failure =>
  new Failure(
    "storage_incomplete",
    `A copy into ${file} is not complete. Run telex migrate copy, telex import or telex restore again, or delete this file and ${file}.transfer.`,
  );

/** The path itself if it exists, otherwise the nearest folder above it. */
export const existing = (path: string): string =>
  existsSync(path) || dirname(path) === path ? path : existing(dirname(path));

/** Rejects a setting that names a folder if it, or a folder above it, is a file. */
function refuseFileAs(name: "data" | "blobs", { get }: Config): void {
  const place = get(settings[name]);
  if (!isFolder(place)) return;
  const there = existing(resolve(place));
  if (statSync(there).isDirectory()) return;
  throw new UsageError(`${flagOf(name)} must be a folder; ${there} is a file.`);
}

/**
 * Creates a folder for messages and tokens, which only its owner can read. The names of new folders are on the disk before the folder is
 * used.
 * @throws UsageError
 */
export async function makeFolder(folder: string): Promise<void> {
  await makeMissing(folder).catch((cause: unknown) => {
    throw new UsageError(`The folder ${folder} cannot be created: ${messageOf(cause)}`, { cause });
  });
}

/** Replaces the recursive `mkdir` of Node, which never ends on file systems that refuse new names with ENOENT, such as /proc. */
async function makeMissing(folder: string): Promise<void> {
  const isNew = await makeOne(folder).catch(async (error: unknown) => {
    if (codeOf(error) !== "ENOENT" || dirname(folder) === folder) throw error;
    await makeMissing(dirname(folder));
    return await makeOne(folder);
  });
  if (isNew) await syncNames(dirname(folder));
}

async function makeOne(folder: string): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 });
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST" && (await stat(folder)).isDirectory()) return false;
    throw error;
  }
}

async function syncNames(folder: string): Promise<void> {
  await using handle = await open(folder);
  await handle.sync();
}
