import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";
import type { Shell } from "./shell.ts";

/** The Debian package of each program that tests need. */
const packages = {
  age: "age",
  caddy: "caddy",
  "chromium-headless-shell": "chromium-headless-shell",
  chromium: "chromium",
  curl: "curl",
  "g++": "g++",
  go: "golang",
  mosquitto: "mosquitto",
  mosquitto_pub: "mosquitto-clients",
  nginx: "nginx-light",
  prometheus: "prometheus",
  "prometheus-alertmanager": "prometheus-alertmanager",
  python3: "python3",
  "redis-server": "redis-server",
  strace: "strace",
  "systemd-analyze": "systemd",
  venv: "python3-venv",
} as const;

/** A program that tests need. `venv` is the module of Python, which Debian packages separately. */
export type Program = keyof typeof packages;

/** Seconds that one call of apt-get may take. After a call that takes longer, the mirror is not used again. */
const limit = 600;

function isInPath(name: string): boolean {
  return (process.env["PATH"] ?? "").split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/**
 * Installs programs on a new machine.
 * @param log a file for the output of apt-get
 */
export function createDebian(shell: Shell, log: string) {
  let isReachable = true;

  async function apt(...args: readonly string[]): Promise<boolean> {
    if (!isReachable) return false;
    const start = performance.now();
    const isDone = await shell.run(["apt-get", ...args], { log, limit });
    if (!isDone && performance.now() - start >= limit * 1000) isReachable = false;
    return isDone;
  }

  // A new machine has no lists of packages, and most machines need no update.
  const install = async (name: string): Promise<boolean> =>
    (await apt("install", "-y", name)) || ((await apt("update", "-qq")) && (await apt("install", "-y", name)));

  const has = (program: Program): boolean | Promise<boolean> =>
    program === "venv" ? shell.run(["python3", "-c", "import ensurepip, venv"], { log }) : isInPath(program);

  return {
    /** Installs a program if it is missing. False if that fails. */
    need: async (program: Program): Promise<boolean> => (await has(program)) || (await install(packages[program])),
  };
}

/** The result of {@link createDebian}. */
export type Debian = ReturnType<typeof createDebian>;
