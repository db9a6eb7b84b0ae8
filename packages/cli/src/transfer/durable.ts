import { open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { codeOf } from "../errors/errors.ts";

/** Makes the names in a folder durable. */
export async function syncFolder(folder: string): Promise<void> {
  await using handle = await open(folder, "r");
  await handle.sync();
}

/** The text of a file; null if it does not exist. */
export async function readIfThere(path: string): Promise<string | null> {
  return await readFile(path, "utf8").catch((error: unknown) => {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  });
}

/** Replaces a small file. After a crash, the disk has either the new file or the old one. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const partial = `${path}.partial`;
  {
    await using handle = await open(partial, "w", 0o600);
    await handle.writeFile(text);
    await handle.sync();
  }
  await rename(partial, path);
  await syncFolder(dirname(path));
}
