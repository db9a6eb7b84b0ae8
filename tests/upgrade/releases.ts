import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";

const directory = join(import.meta.dirname, "releases");
const end = ".tar.gz";

/** The versions that were recorded. */
export const releases: readonly string[] = readdirSync(directory)
  .filter((name) => name.endsWith(end))
  .map((name) => name.slice(0, -end.length));

const fileOf = (version: string): string => join(directory, version + end);

/** Packs a folder that a version has written, and returns the file. */
export function pack(folder: string, version: string): string {
  mkdirSync(directory, { recursive: true });
  execFileSync("tar", ["czf", fileOf(version), "-C", folder, "."]);
  return fileOf(version);
}

/** Unpacks the files that a version has written: `data`, `export`, `backup` and `mongo.json`. */
export function unpack(version: string, folder: string): void {
  execFileSync("tar", ["xzf", fileOf(version), "-C", folder, "--no-same-owner"]);
}
