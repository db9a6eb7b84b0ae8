import { createHash } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";
import { makeFolder } from "../storage.ts";

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

/** Runs something that needs a folder of its own, which goes away with it. Only one may run at a time. */
export async function inWorkFolder<T>(place: WorkPlace, run: (work: string) => Promise<T>): Promise<T> {
  await makeFolder(place.parent);
  await removeLeftovers(place);
  const work = await mkdtemp(join(place.parent, place.prefix));
  try {
    return await run(work);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}
