import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { makeFolder } from "../storage.ts";

/** Where something is done, and what it leaves behind when it is killed. */
interface WorkPlace {
  /** The folder of the database: there is room for a copy of it, and only its owner looks. */
  readonly parent: string;
  /** What the names of these folders begin with. */
  readonly prefix: ".backup-" | ".restore-";
  /** Milliseconds after which such a folder is removed as a leftover. */
  readonly leftoverAge: number;
}

async function removeLeftovers({ parent, prefix, leftoverAge }: WorkPlace): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const path = join(parent, name);
    // One that ends meanwhile removes its folder itself.
    const changedAt = (await stat(path).catch(() => null))?.mtimeMs ?? Number.POSITIVE_INFINITY;
    if (changedAt > Date.now() - leftoverAge) continue;
    await rm(path, { recursive: true, force: true });
  }
}

/** Runs something that needs a folder of its own, which goes away with it. */
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
