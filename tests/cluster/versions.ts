import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readlink, rm, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** A folder from which the packages outside of the bundle can be resolved. Each run has a folder in it, named by its process. */
const cache = fileURLToPath(new URL("../node_modules/.cache/cluster/", import.meta.url));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** The folder of this run. Removes those of killed runs. */
export async function openFolder(): Promise<string> {
  await mkdir(cache, { recursive: true });
  const left = (await readdir(cache)).filter((name) => !isAlive(Number(name)));
  for (const name of [...left, String(process.pid)]) await rm(join(cache, name), { recursive: true, force: true });
  const folder = join(cache, String(process.pid));
  await mkdir(folder);
  return folder;
}

/**
 * The commit of the older version: the last one before the stores and the bus changed, with an end of the sessions of killed servers.
 * With releases, the tag of the last one belongs here.
 */
const olderCommit = process.env["TELEX_CLUSTER_OLDER"] ?? "08c228603690";

/** Bundles the server of the test from sources. As one file, it starts in a quarter of the time. */
async function bundle(sources: string, file: string): Promise<string> {
  const bundled = await rolldown({
    input: join(sources, "tests/cluster/server.ts"),
    platform: "node",
    external: ["sharp"],
    // The last folder has every installed package: a package that was split since then has other dependencies now.
    resolve: {
      conditionNames: ["telex-source", "node", "import"],
      modules: ["node_modules", join(root, "node_modules/.pnpm/node_modules")],
    },
    // The database driver imports optional packages.
    onLog() {},
  });
  await bundled.write({ file, format: "esm", codeSplitting: false });
  await bundled.close();
  return file;
}

export const bundleNewer = (folder: string): Promise<string> => bundle(root, join(folder, "newer.mjs"));

/** Copies the links to packages in a folder `node_modules`. Links to other workspaces stay within the copy. */
async function copyLinks(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  await mkdir(to, { recursive: true });
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.name.startsWith("@")) await copyLinks(source, target);
  }
}

/** Puts the packages of a commit, and the current server of the test, into a separate folder. */
async function checkOut(commit: string, within: string): Promise<string> {
  const folder = join(within, "older");
  for (const name of ["cluster", "support"]) await mkdir(join(folder, "tests", name), { recursive: true });
  const archive = join(within, "older.tar");
  await run("git", ["-C", root, "archive", "--output", archive, commit, "packages"]);
  await run("tar", ["--extract", "--file", archive, "--directory", folder]);
  await cp(join(root, "tests/cluster/server.ts"), join(folder, "tests/cluster/server.ts"));
  await cp(join(root, "tests/support/json.ts"), join(folder, "tests/support/json.ts"));
  await cp(join(root, "tests/support/package.json"), join(folder, "tests/support/package.json"));
  await symlink(relative(folder, join(root, "node_modules")), join(folder, "node_modules"));
  const packages = await readdir(join(folder, "packages"));
  const workspaces = ["tests", "tests/support", ...packages.map((name) => join("packages", name))];
  for (const place of workspaces)
    await copyLinks(join(root, place, "node_modules"), join(folder, place, "node_modules"));
  // Newer commits lack the OpenAPI document, which the set-up makes. The current one replaces it: the test does not read it.
  const document = "packages/http/src/openapi.json";
  await cp(join(root, document), join(folder, document), { force: false });
  return folder;
}

/**
 * Bundles the older version with the currently installed packages.
 * @returns null if the repository does not have the commit, as in a clone without history
 */
export async function bundleOlder(folder: string): Promise<string | null> {
  const isThere = await run("git", ["-C", root, "cat-file", "-e", `${olderCommit}^{commit}`]).then(
    () => true,
    () => false,
  );
  if (isThere) return await bundle(await checkOut(olderCommit, folder), join(folder, "older.mjs"));
  process.stdout.write(
    `NOT TESTED, two versions on one database: this clone does not have the commit ${olderCommit}.\n`,
  );
  return null;
}
