import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { existing, makeFolder } from "../storage/place.ts";

/** Maximum attempts to create a folder. */
const attempts = 10;

/** The location of work folders, and the names that they leave behind when a command is killed. */
export interface WorkFolders {
  /** A folder of the installation: it has space for a copy of the database, and only its owner can read it. */
  readonly parent: string;
  /** The prefix of the names of work folders, different for each installation. */
  readonly prefix: string;
}

/** The work folders for a MongoDB database: the data folder, which commands for several databases may share. */
export const mongoWork = (config: Pick<Config, "get">, kind: "backup" | "restore", name: string): WorkFolders => ({
  parent: resolve(config.get(settings.data)),
  prefix: `.mongodb-${kind}-${createHash("sha256").update(name).digest("hex").slice(0, 16)}-`,
});

async function removeLeftovers({ parent, prefix }: WorkFolders): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Removes a folder and its empty parents, up to one that existed before. */
async function removeMade(folder: string, before: string): Promise<void> {
  for (let made = folder; made !== before; made = dirname(made)) await rmdir(made);
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** Creates the folder, repeatedly, because another command may be removing the parents that it created. */
async function makeWork(folders: WorkFolders): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makeFolder(folders.parent);
      await removeLeftovers(folders);
      return await mkdtemp(join(folders.parent, folders.prefix));
    } catch (error) {
      const isGone = [error, causeOf(error)].some((each) => codeOf(each) === "ENOENT");
      if (!isGone || attempt === attempts) throw error;
    }
  }
}

/**
 * Runs with a work folder, which is removed afterwards together with empty parents that were created for it. Only one command may run
 * at a time.
 */
export async function inWorkFolder<T>(folders: WorkFolders, run: (work: string) => Promise<T>): Promise<T> {
  const before = existing(folders.parent);
  const work = await makeWork(folders);
  try {
    return await run(work);
  } finally {
    await rm(work, { recursive: true, force: true });
    // Folders with files stay.
    await removeMade(folders.parent, before).catch(() => undefined);
  }
}
