// `npm test -- [suite] [arguments of vitest]`: runs a suite of `suites.ts`, by default `node`. `npm test -- help` lists them.
import { execFileSync, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { makeQuickFolder } from "./ci/quick.ts";
import { commandOf, isSuiteName, type Suite, suites } from "./suites.ts";

/** Installs the dependencies that only this suite needs. */
function install({ installs }: Suite): void {
  if (installs === undefined) return;
  const args = ["run", "-s", "pnpm", "--", "install", "--frozen-lockfile", `--filter=./${installs}`];
  execFileSync("npm", args, { stdio: ["ignore", "ignore", "inherit"] });
}

/** Returns the exit code. */
function run(suite: Suite, rest: readonly string[]): number {
  install(suite);
  const [command, args] = commandOf(suite, rest);
  const temporary = suite.isQuick === true ? makeQuickFolder(tmpdir()) : null;
  const env = { ...process.env, ...(temporary !== null && { TMPDIR: temporary }) };
  // On Ctrl+C, the terminal also signals the tests, which end; then the folder is removed.
  process.on("SIGINT", () => undefined);
  try {
    return spawnSync(command, args, { stdio: "inherit", env }).status ?? 1;
  } finally {
    if (temporary !== null) rmSync(temporary, { recursive: true, force: true });
  }
}

const [first = "node", ...rest] = process.argv.slice(2);
if (first === "help") {
  for (const [name, { summary }] of Object.entries(suites)) console.log(`npm test -- ${name.padEnd(11)} ${summary}`);
} else {
  const name = isSuiteName(first) ? first : "node";
  process.exitCode = run(suites[name], name === first ? rest : [first, ...rest]);
}
