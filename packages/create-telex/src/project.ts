import { cp, mkdir, readdir, readFile, rename, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { type Server, type ServerName, servers } from "./servers.ts";

const templates = fileURLToPath(new URL("../templates", import.meta.url));

/** The project cannot be created. The message says why, and how to fix it. */
export class ProjectError extends Error {}

interface ProjectOptions {
  /** The folder of the project. It is created, and must be empty if it exists. */
  readonly folder: string;
  readonly server: ServerName;
  /** The version of the packages of Telex. */
  readonly version: string;
}

/** Turns the name of a folder into a package name that npm accepts. */
const packageName = (folder: string): string =>
  basename(resolve(folder))
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, "-")
    .replaceAll(/^[._-]+|-+$/g, "") || "telex-project";

function manifestOf({ folder, server, version }: ProjectOptions, { dependencies, types, scripts }: Server): object {
  const telex = ["blobs", "core", "http", "image-text", "storage-sqlite", "ws"].map(
    (name) => [`@telex/${name}`, `^${version}`] as const,
  );
  const all = [...telex, ["sharp", "^0.35.5"] as const, ...Object.entries(dependencies)];
  return {
    name: packageName(folder),
    private: true,
    description: `Telex in a ${servers[server].title} server`,
    type: "module",
    scripts,
    dependencies: Object.fromEntries(all.toSorted(([a], [b]) => (a < b ? -1 : 1))),
    devDependencies: { ...types, "@types/node": "^26.6.6", typescript: "^7.0.2" },
    engines: { node: "^22.23.0 || ^24.15.0 || >=26.10.0" },
  };
}

const unsuitable = (folder: string, fault: string): ProjectError =>
  new ProjectError(`${folder} ${fault}. Choose a folder that does not exist, or that is empty.`);

async function namesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder).catch((error: unknown) => {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw unsuitable(folder, "cannot be read");
  });
}

async function assertEmpty(folder: string): Promise<void> {
  const names = await namesIn(folder);
  if (names.some((name) => name !== ".git")) throw unsuitable(folder, "is not empty");
}

/** The words of the README that depend on the project. */
const wordsOf = (folder: string, { title, commands }: Server): Readonly<Record<string, string>> => ({
  name: packageName(folder),
  server: title,
  main: "main.ts",
  commands: commands.join("\n"),
});

/**
 * Writes a project into an empty folder.
 * @throws ProjectError if the folder is not empty
 */
export async function createProject(options: ProjectOptions): Promise<void> {
  const { folder, server } = options;
  await assertEmpty(folder);
  await mkdir(folder, { recursive: true });
  for (const template of ["common", server]) await cp(join(templates, template), folder, { recursive: true });
  // npm omits a file named .gitignore from packages.
  await rename(join(folder, "_gitignore"), join(folder, ".gitignore"));
  const chosen: Server = servers[server];
  await fillIn(join(folder, "README.md"), wordsOf(folder, chosen));
  await writeFile(join(folder, "package.json"), `${JSON.stringify(manifestOf(options, chosen), null, 2)}\n`);
}

/** Replaces `{{word}}` in a file. */
async function fillIn(file: string, words: Readonly<Record<string, string>>): Promise<void> {
  const text = await readFile(file, "utf8");
  const filled = Object.entries(words).reduce((done, [word, value]) => done.replaceAll(`{{${word}}}`, value), text);
  await writeFile(file, filled);
}
