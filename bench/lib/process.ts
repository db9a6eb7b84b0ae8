import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import type { Measurement } from "./workload.ts";

/** A measured server in its own process. */
export interface Running {
  /** The line that it printed when it was ready. */
  readonly ready: Readonly<Record<string, unknown>>;
  /** CPU seconds of all threads so far, to the microsecond. */
  cpu(): Promise<number>;
  /** Resident memory in MiB, now and at its peak. */
  memory(): Promise<{ readonly now: number; readonly peak: number }>;
  /** Milliseconds of the longest tick of its event loop since the last call. */
  longestTurn(): Promise<number>;
  /** Runs its garbage collection. */
  collect(): Promise<void>;
  stop(): Promise<void>;
}

/** A process that is measured: a server, or the program itself. */
export type Measured = Pick<Running, "cpu" | "memory" | "longestTurn">;

/** CPU seconds of all threads of a process so far, to the microsecond. */
export async function cpuOf(pid: number): Promise<number> {
  const threads = await readdir(`/proc/${pid}/task`);
  const times = await Promise.all(
    threads.map(async (thread) => {
      const stat = await readFile(`/proc/${pid}/task/${thread}/schedstat`, "utf8").catch(() => "0");
      return Number(stat.split(" ")[0]);
    }),
  );
  return times.reduce((sum, time) => sum + time, 0) / 1e9;
}

/** Resident memory of a process in MiB, now and at its peak. */
export async function memoryOf(pid: number): Promise<{ now: number; peak: number }> {
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

/** Servers run on the first core, and the load on the last one. */
export const serverCore = "0";
export const loadCore = String(availableParallelism() - 1);

const turns = new URL("turns.ts", import.meta.url).href;

/** A program of the bench prints JSON. A command prints a sentence, which becomes the field `text`. */
const readyOf = (line: string): unknown => (line.startsWith("{") ? JSON.parse(line) : { text: line });

/** Runs a Node program on one core. The program prints a line when it is ready. */
export async function run(program: string, args: readonly string[], core: string): Promise<Running> {
  const command = [process.execPath, "--expose-gc", "--import", turns, program, ...args];
  const child = spawn("taskset", ["-c", core, ...command], { stdio: ["pipe", "pipe", "inherit", "ipc"] });
  const ready = await firstLine(child)
    .then(readyOf)
    .catch((error: unknown) => {
      child.kill("SIGKILL");
      throw error;
    });
  const pid = child.pid ?? 0;
  return {
    ready: Object.fromEntries(Object.entries(typeof ready === "object" && ready !== null ? ready : {})),
    cpu: () => cpuOf(pid),
    memory: () => memoryOf(pid),
    async longestTurn() {
      child.send("longest");
      return Number((await once(child, "message"))[0]);
    },
    async collect() {
      child.stdin?.write("\n");
      await new Promise((resolve) => setTimeout(resolve, 200));
    },
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

/** A round of a program that measures itself: it prints its figures as one line of JSON. */
export const measured = (program: string, args: (folder: string) => readonly string[]) => (): Promise<Measurement> =>
  withFolder(async (folder) => {
    const running = await run(program, args(folder), serverCore);
    await running.stop();
    return Object.fromEntries(Object.entries(running.ready).map(([name, value]) => [name, Number(value)]));
  });
