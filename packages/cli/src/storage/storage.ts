import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { BlobStore, Logger } from "@telex/core";
import { openBlobs, shownPlace } from "./blobs.ts";
import { Failure, UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { refuseFile, missingStorage, incompleteStorage, refuseFileAs, makeFolder } from "./place.ts";
import { openMongo } from "./mongo.ts";
import { type Purpose, type Opened, schemeOf, openWith } from "./opened.ts";

/** Bytes of a SQLite file that are kept in memory with little of it. */
const smallPageCache = 2 ** 20;

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
    return await createSqliteStorage({
      file,
      exclusive: isServer,
      floor: get(settings.recordFloor),
      ...(get(settings.memory) === "small" && { pageCache: smallPageCache }),
    }).catch(refuseFile);
  });
  return { storage, blobs, securityLog: securityLogOf(file), createBus: null };
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
