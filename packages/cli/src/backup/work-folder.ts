import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "../errors.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { existing, makeFolder } from "../storage.ts";

/** Times that a folder is made. */
const attempts = 10;

/** Where something is done, and what it leaves behind when it is killed. */
export interface WorkPlace {
  /** A folder of the installation: there is room for a copy of the database, and only its owner looks. */
  readonly parent: string;
  /** What the names of these folders begin with. Those of two installations do not begin with one prefix. */
  readonly prefix: string;
}

/** The work place of a database of MongoDB: the data folder, which commands for several databases may share. */
export const mongoWork = (config: Pick<Config, "get">, kind: "backup" | "restore", name: string): WorkPlace => ({
  parent: resolve(config.get(settings.data)),
  prefix: `.mongodb-${kind}-${createHash("sha256").update(name).digest("hex").slice(0, 16)}-`,
});

async function removeLeftovers({ parent, prefix }: WorkPlace): Promise<void> {
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true });
  }
}

/** Removes a folder and those above it that are empty, up to one that was there before. */
async function removeMade(folder: string, before: string): Promise<void> {
  for (let made = folder; made !== before; made = dirname(made)) await rmdir(made);
}

const causeOf = (error: unknown): unknown => (error instanceof Error ? error.cause : undefined);

/** Makes the folder. Another command may be removing those above it that it has made. */
async function makeWork(place: WorkPlace): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await makeFolder(place.parent);
      await removeLeftovers(place);
      return await mkdtemp(join(place.parent, place.prefix));
    } catch (error) {
      const isGone = [error, causeOf(error)].some((each) => codeOf(each) === "ENOENT");
      if (!isGone || attempt === attempts) throw error;
    }
  }
}

/**
 * Runs something that needs a folder of its own, which goes away with it, as do the folders above it that were made for it and are empty. Only
 * one may run at a time.
 */
export async function inWorkFolder<T>(place: WorkPlace, run: (work: string) => Promise<T>): Promise<T> {
  const before = existing(place.parent);
  const work = await makeWork(place);
  try {
    return await run(work);
  } finally {
    await rm(work, { recursive: true, force: true });
    // Not if something is in them.
    await removeMade(place.parent, before).catch(() => undefined);
  }
}
