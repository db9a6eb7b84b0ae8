import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder, foreign, nameOf } from "./cache.ts";
import { runToSuccess } from "./run.ts";

/** A folder with a `requirements.txt`, below the one of the foreign programs; `.` for the one that most programs share. */
export type PythonFolder = "." | "home-assistant";

const requirementsOf = (folder: PythonFolder): string => join(foreign, folder, "requirements.txt");

/** The environment of the Python programs, one for each `requirements.txt`. */
const environment = (folder: PythonFolder): string =>
  cacheFolder(`python-${nameOf(readFileSync(requirementsOf(folder), "utf8"))}`);

/** A program of a Python environment, such as `python` or `schemathesis`. */
export const pythonProgram = (name: string, folder: PythonFolder = "."): string =>
  join(environment(folder), "bin", name);

/** Creates a Python environment if it does not exist. */
export async function installPython(folder: PythonFolder): Promise<void> {
  const target = environment(folder);
  const mark = join(target, "installed");
  if (existsSync(mark)) return;
  rmSync(target, { recursive: true, force: true });
  await runToSuccess("python3", ["-m", "venv", target]);
  const quiet = ["--quiet", "--disable-pip-version-check", "--no-input", "--no-compile"];
  // The list is complete: Home Assistant itself declares many more dependencies.
  const all = folder === "." ? [] : ["--no-deps"];
  const python = pythonProgram("python", folder);
  await runToSuccess(python, ["-m", "pip", "install", ...quiet, ...all, "--requirement", requirementsOf(folder)]);
  writeFileSync(mark, "");
}
