import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, foreign, nameOf } from "./cache.ts";
import { runToSuccess } from "./run.ts";

const manifests = ["package.json", "package-lock.json"] as const;

/** A folder whose dependencies are not part of the workspace. */
type NpmFolder = "mcp-js" | "onebot-js";

/** The installed dependencies and programs of a folder: one path for each lockfile. */
function placeOf(name: NpmFolder): string {
  const contents = manifests.map((manifest) => readFileSync(join(foreign, name, manifest), "utf8"));
  return cacheFolder(`npm-${nameOf(contents.join(""))}`);
}

/** A program of a folder, or of what is installed there, after {@link installNpm}. */
export const npmProgram = (folder: NpmFolder, ...path: readonly string[]): string => join(placeOf(folder), ...path);

/** Installs the dependencies of a folder, and copies its programs next to them. */
export async function installNpm(name: NpmFolder): Promise<void> {
  const [source, target] = [join(foreign, name), placeOf(name)];
  const mark = join(target, "installed");
  if (!existsSync(mark)) {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    for (const manifest of manifests) copyFileSync(join(source, manifest), join(target, manifest));
    // No install script runs. Some peers are omitted, such as AlemonJS itself: only its client runs.
    const quiet = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
    await runToSuccess("npm", ["ci", ...quiet], { cwd: target });
    writeFileSync(mark, "");
  }
  for (const program of readdirSync(source).filter((one) => one.endsWith(".mjs"))) {
    copyFileSync(join(source, program), join(target, program));
  }
}
