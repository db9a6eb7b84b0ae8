import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** The output of npm in a clone. It must not reach a registry: npm refuses the manifest first. */
async function refusalOf(command: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "telex-clone-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const name of ["package.json", "package-lock.json"])
    await cp(join(import.meta.dirname, "..", name), join(folder, name));
  return await new Promise((resolve, reject) => {
    execFile("npm", [command, "--offline", "--no-color"], { cwd: folder }, (error, _, stderr) => {
      if (error === null) reject(new Error(`npm ${command} has not failed.`));
      else resolve(stderr);
    });
  });
}

it.each(["install", "ci"])("npm %s in a clone says which commands install everything", async (command) => {
  expect(await refusalOf(command)).toContain("run npm start or npm test, which install everything");
});
