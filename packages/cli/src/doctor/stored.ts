import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Logger } from "@telex/core";
import type { Storage } from "@telex/core/storage";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { openStorage } from "../storage/storage.ts";
import { isMongo } from "../storage/mongo.ts";
import { schemeOf } from "../storage/opened.ts";

/** The file of the database; null if the storage is not SQLite. */
export function databaseOf({ get }: Config): string | null {
  const url = get(settings.storage);
  return schemeOf(url) === "sqlite:" ? resolve(url.slice("sqlite:".length)) : null;
}

/** True if the storage exists. A check must not create it. */
export function hasStorage(config: Config): boolean {
  const file = databaseOf(config);
  return file === null ? isMongo(config.get(settings.storage)) : existsSync(file);
}

/** Opens the storage, reads from it, and closes it. */
export async function withStorage<T>(config: Config, look: (storage: Storage) => Promise<T>, log?: Logger): Promise<T> {
  const { storage } = await openStorage(config, "operate", log);
  try {
    return await look(storage);
  } finally {
    await storage.close();
  }
}
