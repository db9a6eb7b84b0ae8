import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { TelexError } from "@telex/core";
import { UsageError } from "../errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { isMongo, missingStorage, schemeOf } from "../storage.ts";

/** What does the work of a command for a database of MongoDB. */
const ofMongo = {
  backup:
    "telex backup copies databases of SQLite. Back up MongoDB with mongodump, or, while no server runs, with telex export <folder>.",
  restore:
    "telex restore writes databases of SQLite. Restore MongoDB with mongorestore, or from an export with telex import <folder>. " +
    "To move a backup of SQLite to MongoDB, restore it to a folder, then run telex migrate copy --from sqlite:<file> --to mongodb://<host>/<database>.",
  migrate:
    "telex migrate status, up and down are for databases of SQLite. A server brings a database of MongoDB up to date when it starts.",
} as const;

/** A command that works on the file of a database. */
type FileCommand = keyof typeof ofMongo;

/**
 * The database file that the settings name, whether it is there or not.
 * @throws TelexError `storage_is_memory`; UsageError for a storage that is not a file
 */
export function sqlitePathOf(config: Config, command: FileCommand): string {
  const url = config.get(settings.storage);
  const scheme = schemeOf(url);
  if (scheme === "memory:") throw new TelexError("invalid_request", { reason: "storage_is_memory" });
  if (isMongo(url)) throw new UsageError(ofMongo[command]);
  if (scheme !== "sqlite:") throw new UsageError(`--storage must be sqlite:<file> here; it is "${scheme || url}".`);
  return resolve(url.slice(scheme.length));
}

/**
 * The database file that the settings name.
 * @throws as {@link sqlitePathOf}; Failure `storage_missing`
 */
export function sqliteFileOf(config: Config, command: FileCommand): string {
  const file = sqlitePathOf(config, command);
  if (!existsSync(file)) throw missingStorage(file);
  return file;
}
