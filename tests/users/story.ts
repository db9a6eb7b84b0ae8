import { spawn } from "node:child_process";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { freePort } from "test-support/port";
import { type Command, commandsOf } from "../../docs/test/page.ts";
import { difference } from "../../docs/test/compare.ts";

export const clone = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

/** The cost of a story for its user. */
export interface Row {
  readonly name: string;
  readonly commands: number;
  readonly seconds: number;
}

/** The lines that a user types, without the contents of files and without waiting. */
export function typedLines(commands: readonly Command[]): number {
  let inFile = false;
  const lines = commands.flatMap(({ text: block }) => block.trimEnd().split("\n"));
  return lines.filter((line) => {
    const isTyped = !inFile && !/^(\s|until |wait |END$)/.test(line);
    if (line.includes("<<'END'")) inFile = true;
    else if (line === "END") inFile = false;
    return isTyped;
  }).length;
}

/** The variables of a user who has set nothing, with an empty home folder and free ports. */
export async function environment(home: string): Promise<Record<string, string>> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(TELEX_|NO_COLOR|FORCE_COLOR|VITEST|NODE_(?!EXTRA_CA)|npm_(?!config_)|XDG_)/.test(name)
      ? []
      : [[name, value] as const],
  );
  const [port, tls, metrics] = await Promise.all([freePort(), freePort(), freePort()]);
  return {
    ...Object.fromEntries(kept),
    PATH: [dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter),
    HOME: home,
    // Packages of others come from the cache of this machine if it has them.
    npm_config_cache: join(homedir(), ".npm"),
    npm_config_prefer_offline: "true",
    npm_config_audit: "false",
    npm_config_update_notifier: "false",
    LANG: "C.UTF-8",
    CLONE: clone,
    PORT: String(port),
    TLS_PORT: String(tls),
    METRICS_PORT: String(metrics),
  };
}

/** Milliseconds after which a story fails: by default ten minutes. */
export const limit = Number(process.env["TELEX_USERS_LIMIT"] ?? 600) * 1000;

const mark = "<<end of a command>>";

/** Runs the commands in one shell, and ends everything that they leave running. */
async function runShell(commands: readonly Command[], cwd: string, env: Record<string, string>): Promise<string[]> {
  const script = commands.map((command) => `{\n${command.text}\n}\nprintf '\\n%s %s\\n' '${mark}' "$?"`).join("\n");
  const shell = spawn("bash", ["-c", `exec 2>&1\n${script}`], {
    cwd,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const end = (): void => {
    try {
      if (shell.pid !== undefined) process.kill(-shell.pid, "SIGKILL");
    } catch {
      // All of its processes have ended.
    }
  };
  const late = setTimeout(end, limit);
  const output = await text(shell.stdout);
  clearTimeout(late);
  end();
  return output.split(`\n${mark} `);
}

/** How the outcome of a command differs from the page; null if it does not. */
function faultOf({ text: block, fails, shown }: Command, code: number, output: string): string | null {
  if ((code === 0) === fails) return `${block}ends with ${code}:\n${output}`;
  const found = shown === null ? null : difference(shown, output);
  return found === null ? null : `${block}${found}`;
}

/**
 * Runs the commands of a story in an empty home folder.
 * @param more further variables
 * @returns the faults, and what the story took
 */
export async function runStory(name: string, page: string, more: Readonly<Record<string, string>> = {}) {
  const home = await mkdtemp(join(tmpdir(), "telex-user-"));
  try {
    const folder = join(home, "project");
    await mkdir(folder);
    const commands = commandsOf(page);
    const env = { ...(await environment(home)), ...more };
    const start = performance.now();
    const parts = await runShell(commands, folder, env);
    const row: Row = { name, commands: typedLines(commands), seconds: (performance.now() - start) / 1000 };
    const faults = commands.flatMap((command, at) => {
      const output = (parts[at] ?? "").replace(/^\d+\n/, "");
      const code = Number(/^(\d+)\n/.exec(parts[at + 1] ?? "")?.[1] ?? Number.NaN);
      return faultOf(command, code, output) ?? [];
    });
    return { row, faults };
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}
