import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder of the foreign programs. */
export const foreign = dirname(dirname(fileURLToPath(import.meta.url)));

/** A folder below `node_modules/.cache/foreign`, for results that are reused and not committed. */
export function cacheFolder(...names: string[]): string {
  const folder = join(dirname(dirname(foreign)), "node_modules", ".cache", "foreign", ...names);
  mkdirSync(dirname(folder), { recursive: true });
  return folder;
}

/** A short name for a content, different for each content. */
export const nameOf = (content: string): string => createHash("sha256").update(content).digest("hex").slice(0, 16);
