import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { TelexError } from "@telex/core";
import { UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { schemeOf } from "../storage/opened.ts";
import { missingStorage } from "../storage/place.ts";

/**
 * The database file that the settings name, even if it does not exist.
 * @throws TelexError `storage_is_memory`
 * @throws UsageError for a storage that is not a file
 */
export function sqlitePathOf(config: Config): string {
  const url = config.get(settings.storage);
  const scheme = schemeOf(url);
  if (scheme === "memory:") throw new TelexError("invalid_request", { reason: "storage_is_memory" });
  if (scheme !== "sqlite:") throw new UsageError(`--storage must be sqlite:<file> here; it is "${scheme || url}".`);
  return resolve(url.slice(scheme.length));
}

/**
 * The database file that the settings name.
 * @throws TelexError and UsageError like {@link sqlitePathOf}
 * @throws Failure `storage_missing`
 */
export function sqliteFileOf(config: Config): string {
  const file = sqlitePathOf(config);
  if (!existsSync(file)) throw missingStorage(file);
  return file;
}
