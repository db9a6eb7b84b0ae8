import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, foreign, nameOf } from "./cache.ts";
import { runToSuccess } from "./run.ts";

const source = join(foreign, "onebot-js");
const manifests = ["package.json", "package-lock.json"] as const;

/** Where the programs in JavaScript run: another lockfile has another folder. */
const folder = (): string =>
  cacheFolder(`npm-${nameOf(manifests.map((name) => readFileSync(join(source, name), "utf8")).join(""))}`);

/** A program of `onebot-js`, after {@link installNpm}. */
export const npmProgram = (name: string): string => join(folder(), name);

/** Installs what `onebot-js` needs apart from the workspace, unless it is there, and puts the programs beside it. */
export async function installNpm(): Promise<void> {
  const target = folder();
  const mark = join(target, "installed");
  if (!existsSync(mark)) {
    rmSync(target, { recursive: true, force: true });
    mkdirSync(target, { recursive: true });
    for (const name of manifests) copyFileSync(join(source, name), join(target, name));
    // No install script runs. Peers that the lockfile leaves out are not used: AlemonJS itself, of which only the client runs.
    const quiet = ["--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund", "--loglevel=error"];
    await runToSuccess("npm", ["ci", ...quiet], { cwd: target });
    writeFileSync(mark, "");
  }
  for (const name of readdirSync(source).filter((one) => one.endsWith(".mjs"))) {
    copyFileSync(join(source, name), join(target, name));
  }
}
