import { execFile } from "node:child_process";
import { cp, mkdir, readdir, readlink, rm, symlink } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { rolldown } from "rolldown";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));
/** Where the packages that a bundle leaves out are found. */
const cache = fileURLToPath(new URL("../node_modules/.cache/cluster/", import.meta.url));

/**
 * The commit whose packages are the older version: the last one before the stores and the bus changed, that ends the sessions of killed
 * servers. With releases, the tag of the last one belongs here.
 */
const olderCommit = process.env["TELEX_CLUSTER_OLDER"] ?? "08c228603690";

/** Bundles the server of the test from sources in `folder`: as one file, it starts in a quarter of the time. */
async function bundle(folder: string, name: string): Promise<string> {
  const file = join(cache, `${name}.mjs`);
  const bundled = await rolldown({
    input: join(folder, "crash/cluster/server.ts"),
    platform: "node",
    external: ["sharp"],
    resolve: { conditionNames: ["telex-source", "node", "import"] },
    // The driver of the database asks for packages that it can do without.
    onLog() {},
  });
  await bundled.write({ file, format: "esm", codeSplitting: false });
  await bundled.close();
  return file;
}

export const bundleNewer = (): Promise<string> => bundle(root, "newer");

/** Repeats the links to packages in a folder `node_modules`. Those to other workspaces stay within the copy. */
async function copyLinks(from: string, to: string): Promise<void> {
  const entries = await readdir(from, { withFileTypes: true });
  await mkdir(to, { recursive: true });
  for (const entry of entries) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else if (entry.name.startsWith("@")) await copyLinks(source, target);
  }
}

/** Puts the packages of a commit, and the server of the test as it is now, into a folder of their own. */
async function checkOut(commit: string): Promise<string> {
  const folder = join(cache, "older");
  await rm(folder, { recursive: true, force: true });
  await mkdir(join(folder, "crash/cluster"), { recursive: true });
  const archive = join(cache, "older.tar");
  await run("git", ["-C", root, "archive", "--output", archive, commit, "packages"]);
  await run("tar", ["--extract", "--file", archive, "--directory", folder]);
  await cp(join(root, "crash/cluster/server.ts"), join(folder, "crash/cluster/server.ts"));
  await cp(join(root, "test-support/json.ts"), join(folder, "test-support/json.ts"));
  await cp(join(root, "test-support/package.json"), join(folder, "test-support/package.json"));
  await symlink(relative(folder, join(root, "node_modules")), join(folder, "node_modules"));
  const packages = await readdir(join(folder, "packages"));
  const workspaces = ["crash", "test-support", ...packages.map((name) => join("packages", name))];
  for (const place of workspaces)
    await copyLinks(join(root, place, "node_modules"), join(folder, place, "node_modules"));
  return folder;
}

/**
 * Bundles the older version, with the installed packages of today.
 * @returns null if the repository does not have the commit, because it was cloned without its history
 */
export async function bundleOlder(): Promise<string | null> {
  const isThere = await run("git", ["-C", root, "cat-file", "-e", `${olderCommit}^{commit}`]).then(
    () => true,
    () => false,
  );
  if (isThere) return await bundle(await checkOut(olderCommit), "older");
  process.stdout.write(
    `NOT TESTED, two versions on one database: this clone does not have the commit ${olderCommit}.\n`,
  );
  return null;
}
