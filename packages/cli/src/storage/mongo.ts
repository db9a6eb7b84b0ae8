import { join, resolve } from "node:path";
import type { Logger } from "@telex/core";
import type * as storageMongo from "@telex/storage-mongo";
import { isFolder, openBlobs } from "./blobs.ts";
import { Failure, installed, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { refuseFile, makeFolder } from "./place.ts";
import { type Purpose, type Opened, schemeOf, openWith } from "./opened.ts";

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
    "The MongoDB driver is not installed. Install it next to Telex: npm install mongodb@7.",
    { cause },
  );

/** Several servers cannot share a folder, so files are in the database unless the settings name a bucket or a driver. */
export async function openMongo(_rest: string, config: Config, _purpose: Purpose, log?: Logger): Promise<Opened> {
  const { get } = config;
  const { createMongoBus } = await loadMongo();
  const data = resolve(get(settings.data));
  await makeFolder(data);
  const target = { url: get(settings.storage), place: namedPlace(config), ...(log !== undefined && { log }) };
  const { storage, blobs } = await openMongoWith(config, target);
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
