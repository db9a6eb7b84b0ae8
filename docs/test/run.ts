import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { TestContext } from "vitest";
import { z } from "zod";

const programs = {
  telex: fileURLToPath(new URL("../../packages/cli/bin/telex.cjs", import.meta.url)),
  "create-telex": fileURLToPath(new URL("../../packages/create-telex/bin/create-telex.js", import.meta.url)),
};

/** Every package, as an installation has it. */
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));

const printed = z.object({
  url: z.string(),
  users: z.tuple([z.object({ token: z.string() }), z.object({ token: z.string() })]),
});

/** A demo server in a folder of its own, as its reader has it. */
export interface Demo {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The output and the end of a command. */
export interface Ran {
  readonly code: number;
  readonly output: string;
}

/** The environment of a reader without settings: `telex` and the Node of the project come first on the path. */
function environment(folder: string): Record<string, string> {
  const kept = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(TELEX_|NO_COLOR|FORCE_COLOR|VITEST|NODE_|npm_)/.test(name)
      ? []
      : [[name, value] as const],
  );
  const path = [join(folder, ".bin"), dirname(process.execPath), process.env["PATH"] ?? ""].join(delimiter);
  return { ...Object.fromEntries(kept), PATH: path, LANG: "C.UTF-8" };
}

async function firstLine(child: ChildProcess): Promise<string> {
  let line = "";
  const said = child.stderr === null ? Promise.resolve("") : text(child.stderr);
  const ended = once(child, "close").then(() => null);
  while (!line.includes("\n")) {
    const chunk = child.stdout === null ? null : await Promise.race([once(child.stdout, "data"), ended]);
    if (chunk === null) throw new Error(`The demo server did not start: ${await said}`);
    line += String(chunk[0]);
  }
  return line;
}

/** Starts `telex serve --demo`, until the test is over. */
export async function startDemo({ onTestFinished }: TestContext): Promise<Demo> {
  const folder = await mkdtemp(join(tmpdir(), "telex-docs-"));
  const shims = join(folder, ".bin");
  await mkdir(shims);
  for (const [name, program] of Object.entries(programs)) {
    await writeFile(join(shims, name), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`, { mode: 0o755 });
  }
  await symlink(modules, join(folder, "node_modules"));
  const env = environment(folder);
  const child = spawn(join(shims, "telex"), ["serve", "--demo", "--port", "0", "--json"], {
    cwd: folder,
    env,
    stdio: "pipe",
  });
  onTestFinished(async () => {
    child.kill("SIGKILL");
    await rm(folder, { recursive: true, force: true });
  });
  const { url, users } = printed.parse(JSON.parse(await firstLine(child)));
  const [alice, bob] = users;
  return { folder, env: { ...env, TELEX_URL: url, TELEX_TOKEN: alice.token, BOB: bob.token } };
}

const mark = "<<end of a command>>";

/** Ends a process that was started as `detached`, and everything that it has started. */
function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // All of its processes have ended.
  }
}

/**
 * Runs the commands of a page one after the other in one shell, like a reader who pastes them. After the test, nothing of them runs: commands
 * that wait would otherwise go on forever after a test that took too long.
 */
export async function runAll(
  { onTestFinished }: TestContext,
  { folder, env }: Demo,
  commands: readonly string[],
): Promise<Ran[]> {
  const script = commands.map((command) => `{\n${command}\n}\nprintf '\\n%s %s\\n' '${mark}' "$?"`).join("\n");
  const shell = spawn("bash", ["-c", `exec 2>&1\n${script}`], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  onTestFinished(() => endGroup(shell));
  const output = await text(shell.stdout);
  const parts = output.split(new RegExp(`\\n${mark} (\\d+)\\n`));
  return commands.map((_, index) => ({
    output: parts[2 * index] ?? "",
    code: Number(parts[2 * index + 1] ?? Number.NaN),
  }));
}

/** Runs a program in a folder of its own in which all packages are installed, from their sources. */
export async function runProgram({ onTestFinished }: TestContext, program: string): Promise<Ran> {
  const folder = await mkdtemp(join(tmpdir(), "telex-docs-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await symlink(modules, join(folder, "node_modules"));
  await writeFile(join(folder, "main.ts"), program);
  const child = spawn(process.execPath, ["--conditions=telex-source", "main.ts"], {
    cwd: folder,
    env: environment(folder),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended: Promise<unknown[]> = once(child, "close");
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code: Number(code), output: code === 0 ? stdout : stdout + stderr };
}
