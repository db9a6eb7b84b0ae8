import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";

/** A server under measurement, in a process of its own. */
export interface Running {
  /** What it printed when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** CPU seconds so far, of all its threads. */
  cpu(): Promise<number>;
  /** Resident memory in MiB: now, and the most there ever was. */
  memory(): Promise<{ readonly now: number; readonly peak: number }>;
  stop(): Promise<void>;
}

/** Clock ticks in a second, as /proc counts CPU time. */
const ticks = 100;

async function cpuOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1024;
  return { now: read("VmRSS"), peak: read("VmHWM") };
}

async function firstLine(child: ChildProcess): Promise<string> {
  let text = "";
  const ended = once(child, "close").then(() => null);
  while (!text.includes("\n")) {
    const chunk = child.stdout === null ? null : await Promise.race([once(child.stdout, "data"), ended]);
    if (chunk === null) throw new Error(`The program ended before it was ready: ${text}`);
    text += String(chunk[0]);
  }
  return text.slice(0, text.indexOf("\n"));
}

/** Servers run on the first core and the load on the last, where there are several. */
export const serverCore = "0";
export const loadCore = String(availableParallelism() - 1);

/** Runs a program of Node on a core. It prints one line of JSON when it is ready. */
export async function run(program: string, args: readonly string[], core: string): Promise<Running> {
  const command = [process.execPath, "--expose-gc", program, ...args];
  const child = spawn("taskset", ["-c", core, ...command], { stdio: ["pipe", "pipe", "inherit"] });
  const ready: unknown = JSON.parse(await firstLine(child));
  const pid = child.pid ?? 0;
  return {
    ready: Object.fromEntries(Object.entries(typeof ready === "object" && ready !== null ? ready : {})),
    cpu: () => cpuOf(pid),
    memory: () => memoryOf(pid),
    async stop() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    },
  };
}

/** An empty folder for one run. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "telex-bench-"));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
