import { readFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { installCommand } from "./install-command.ts";
import { createProject, ProjectError } from "./project.ts";
import { isServerName, type ServerName, servers } from "./servers.ts";

const names = Object.keys(servers);

const help = `Makes a project that embeds Telex in a server.

Usage: npm create telex [folder] -- [options]

Options:
  --server <name>  ${names.join(", ")}
  --version        Print the version of create-telex and of the Telex that the project uses
  --help           Print this text

Without a folder or a server, it asks for them on a terminal. Elsewhere, the server defaults to node, and the folder is required.
`;

interface Wishes {
  readonly folder: string | undefined;
  readonly server: ServerName | undefined;
}

/** True if a person can answer questions. */
const isInteractive = (): boolean => process.stdin.isTTY && process.stdout.isTTY && process.env["CI"] === undefined;

function serverOf(name: string | undefined): ServerName | undefined {
  if (name === undefined || isServerName(name)) return name;
  throw new ProjectError(`--server cannot be "${name}". It is one of ${names.join(", ")}.`);
}

/** Asks for the options that the arguments omit. */
async function ask({ folder, server }: Wishes): Promise<Wishes> {
  const { consola } = await import("consola");
  const cancel = "reject" as const;
  const answer = folder ?? (await consola.prompt("In which folder?", { type: "text", initial: "my-telex", cancel }));
  const options = Object.entries(servers).map(([value, { title }]) => ({ value, label: title }));
  const chosen =
    server ?? (await consola.prompt("For which server?", { type: "select", options, initial: "node", cancel }));
  return { folder: answer, server: serverOf(chosen) };
}

async function versionOf(): Promise<string> {
  const manifest: unknown = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
  if (typeof manifest !== "object" || manifest === null || !("version" in manifest)) return "0.0.0";
  return String(manifest.version);
}

async function make(wishes: Wishes): Promise<void> {
  const { folder, server = "node" } = isInteractive() ? await ask(wishes) : wishes;
  if (folder === undefined) throw new ProjectError("Name the folder: npm create telex my-telex -- --server express");
  await createProject({ folder, server, version: await versionOf() });
  announce(folder, server);
}

function announce(folder: string, server: ServerName): void {
  const { title, commands } = servers[server];
  console.log(`${folder} has Telex in ${title}. Start it:\n`);
  console.log(["cd " + folder, installCommand, ...commands].map((line) => `  ${line}`).join("\n"));
}

function parse(args: readonly string[]) {
  try {
    const options = { server: { type: "string" }, help: { type: "boolean" }, version: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (positionals.length > 1) throw new ProjectError("Name one folder only.");
    return { ...values, folder: positionals[0] };
  } catch (error) {
    if (error instanceof TypeError) throw new ProjectError(`${error.message}\nSee npm create telex -- --help`);
    throw error;
  }
}

/** Runs the command, and returns its exit code. */
export async function run(args: readonly string[]): Promise<number> {
  try {
    const { folder, server, help: wantsHelp, version } = parse(args);
    if (wantsHelp === true) console.log(help);
    else if (version === true) console.log(await versionOf());
    else await make({ folder, server: serverOf(server) });
    return 0;
  } catch (error) {
    if (error instanceof ProjectError || (error instanceof Error && error.name === "ConsolaPromptCancelledError")) {
      console.error(error instanceof ProjectError ? error.message : "Nothing was made.");
      return 1;
    }
    throw error;
  }
}
