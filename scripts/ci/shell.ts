import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";

/** How a program is run. */
interface Options {
  /** Default: the current folder. */
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A file to append its output to. Default: the output of this process. */
  readonly log?: string;
  /** Seconds after which the program is killed. Default: a day. */
  readonly limit?: number;
}

const day = 86_400;

/** Kills a process with the processes that it started. */
function killGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The process has just ended.
  }
}

/** Runs programs, each in its own process group. */
export function createShell() {
  const running = new Set<ChildProcess>();

  async function waitFor(child: ChildProcess, limit: number): Promise<boolean> {
    running.add(child);
    const timer = setTimeout(killGroup, limit * 1000, child);
    try {
      await once(child, "close");
      return child.exitCode === 0;
    } catch {
      return false;
    } finally {
      clearTimeout(timer);
      running.delete(child);
    }
  }

  return {
    /** Runs a program to its end. True if it exits with 0; false also if there is no such program. */
    async run(
      [command = "", ...args]: readonly string[],
      { cwd = ".", env, log, limit = day }: Options = {},
    ): Promise<boolean> {
      const output = log === undefined ? "inherit" : openSync(log, "a");
      const stdio = ["ignore", output, output] as const;
      const child = spawn(command, args, { cwd, detached: true, env: { ...process.env, ...env }, stdio: [...stdio] });
      if (typeof output === "number") closeSync(output);
      return await waitFor(child, limit);
    },

    killAll: (): void => running.forEach(killGroup),
  };
}

/** The result of {@link createShell}. */
export type Shell = ReturnType<typeof createShell>;
