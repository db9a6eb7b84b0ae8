import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, foreign, nameOf } from "./cache.ts";
import { runToSuccess } from "./run.ts";

const requirements = join(foreign, "requirements.txt");

/** The environment of the Python programs, one for each `requirements.txt`. */
const environment = (): string => cacheFolder(`python-${nameOf(readFileSync(requirements, "utf8"))}`);

/** A program of the Python environment, such as `python` or `schemathesis`. */
export const pythonProgram = (name: string): string => join(environment(), "bin", name);

/** Creates the Python environment if it does not exist. */
export async function installPython(): Promise<void> {
  const target = environment();
  const mark = join(target, "installed");
  if (existsSync(mark)) return;
  rmSync(target, { recursive: true, force: true });
  await runToSuccess("python3", ["-m", "venv", target]);
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-compile"];
  await runToSuccess(pythonProgram("python"), ["-m", "pip", "install", ...quiet, "--requirement", requirements]);
  writeFileSync(mark, "");
}
