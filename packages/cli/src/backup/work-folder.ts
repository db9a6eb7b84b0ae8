import { mkdtemp, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../storage.ts";

/** Where something is done, and what it leaves behind when it is killed. */
interface WorkPlace {
  /** The folder of the database: there is room for a copy of it, and only its owner looks. */
  readonly parent: string;
  /** What the names of these folders begin with. */
  readonly prefix: ".backup-" | ".restore-";
}

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
