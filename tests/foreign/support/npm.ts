import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, foreign, nameOf } from "./cache.ts";
import { runToSuccess } from "./run.ts";

const source = join(foreign, "onebot-js");
const manifests = ["package.json", "package-lock.json"] as const;

/** The folder of the JavaScript programs, one for each lockfile. */
const folder = (): string =>
  cacheFolder(`npm-${nameOf(manifests.map((name) => readFileSync(join(source, name), "utf8")).join(""))}`);

/** A program of `onebot-js`, after {@link installNpm}. */
export const npmProgram = (name: string): string => join(folder(), name);

/** Installs the dependencies of `onebot-js`, which are not part of the workspace, and copies the programs next to them. */
export async function installNpm(): Promise<void> {
  const target = folder();
  const mark = join(target, "installed");
  if (!existsSync(mark)) {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    for (const name of manifests) copyFileSync(join(source, name), join(target, name));
    // No install script runs. Some peers are omitted: AlemonJS itself, of which only the client runs.
    const quiet = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
    await runToSuccess("npm", ["ci", ...quiet], { cwd: target });
    writeFileSync(mark, "");
  }
  for (const name of readdirSync(source).filter((one) => one.endsWith(".mjs"))) {
    copyFileSync(join(source, name), join(target, name));
  }
}
