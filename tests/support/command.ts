import { AsyncLocalStorage } from "node:async_hooks";
import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { beforeAll, onTestFinished } from "vitest";
import { parse, textAt } from "./json.ts";

/** The launcher of the shipped command. */
export const launcher = fileURLToPath(new URL("../../packages/cli/bin/telex.cjs", import.meta.url));

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** The content of stdin; empty by default. */
  readonly input?: string | Uint8Array;
  /** Options of Node itself. */
  readonly node?: readonly string[];
}

type End = () => unknown;

/** Collects the clean-up of the tests of a `describe`, while {@link forAllTests} sets them up. */
const endings = new AsyncLocalStorage<End[]>();

/** Runs a function after the test, or after the tests for which {@link forAllTests} sets something up. */
function atEnd(end: End): void {
  const shared = endings.getStore();
  if (shared === undefined) onTestFinished(async () => void (await end()));
  else shared.push(end);
}

/**
 * Sets something up once for the tests of a `describe`: a separate server would take half a second for each test. Its processes end, and its folders
 * are removed, after the last of these tests.
 * @param time milliseconds that it may take; by default as long as any hook
 * @returns a function for these tests that gives what was set up
 */
export function forAllTests<T>(setUp: () => Promise<T>, time?: number): () => T {
  const made: T[] = [];
  beforeAll(async () => {
    const ends: End[] = [];
    made.push(await endings.run(ends, setUp));
    return async () => {
      for (const end of ends.toReversed()) await end();
    };
  }, time);
  return () => {
    const [value] = made;
    if (value === undefined) throw new Error("It is set up before the first test.");
    return value;
  };
}

/** The outcome of a command. */
export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** An environment without variables of Telex. */
export function cleanEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined || /^(TELEX_|NO_COLOR|FORCE_COLOR|VITEST|NODE_OPTIONS|NODE_ENV)/.test(name)
      ? []
      : [[name, value] as const],
  );
  // The developer may have profiles, so the tests use an empty configuration folder.
  return { ...Object.fromEntries(entries), XDG_CONFIG_HOME: join(tmpdir(), "telex-cli-no-profiles") };
}

/** Starts the built command. */
export function start(args: readonly string[], options: RunOptions = {}): ChildProcessWithoutNullStreams {
  const { cwd = tmpdir(), env = {}, node = [] } = options;
  const child = spawn(process.execPath, [...node, launcher, ...args], { cwd, env: { ...cleanEnvironment(), ...env } });
  atEnd(() => child.kill("SIGKILL"));
  return child;
}

/** Runs the built command to its end. */
export async function telex(args: readonly string[], options: RunOptions = {}): Promise<Outcome> {
  const child = start(args, options);
  const outcome = finished(child);
  child.stdin.on("error", () => undefined);
  child.stdin.end(options.input ?? "");
  return await outcome;
}

/** Gathers what a process prints until it ends. */
export async function finished(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => err.push(chunk));
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}

/** Milliseconds between checks: they leave time for other programs, and respect the rate limits of a server. */
const pause = 50;
const longest = 15_000;

/** Polls until a condition holds, for changes that another process does not announce. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let waited = 0; !(await isSo()); waited += pause) {
    if (waited >= longest) throw new Error("It never came true.");
    await setTimeout(pause);
  }
}

/** The last line of an output, parsed as JSON. */
export function lastJson(text: string): unknown {
  const line = text.trimEnd().split("\n").at(-1) ?? "";
  return JSON.parse(line);
}

/** A temporary folder, removed after the test. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "telex-cli-"));
  atEnd(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** A server in its own process. */
export interface TestServer {
  readonly url: string;
  /** The line that `serve --json` printed. */
  readonly printed: unknown;
  readonly process: ChildProcessWithoutNullStreams;
  /** The log so far. */
  readonly log: () => string;
  /** Sends SIGTERM and waits for the end. */
  stop(): Promise<number | null>;
}

/** Starts `telex serve --port 0 --json` and waits until it answers. */
export async function serve(args: readonly string[], options: RunOptions = {}): Promise<TestServer> {
  const child = start(["serve", "--port", "0", "--json", ...args], options);
  const log: Buffer[] = [];
  child.stderr.on("data", (chunk: Buffer) => log.push(chunk));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const line = await Promise.race([firstLine(child), ended.then(() => null)]);
  if (line === null) throw new Error(`The server did not start: ${Buffer.concat(log).toString()}`);
  const printed = parse(line);
  return {
    url: textAt(printed, "url"),
    printed,
    process: child,
    log: () => Buffer.concat(log).toString(),
    async stop() {
      child.kill("SIGTERM");
      return await ended;
    },
  };
}

async function firstLine(child: ChildProcessWithoutNullStreams): Promise<string | null> {
  let text = "";
  for await (const chunk of child.stdout) {
    text += String(chunk);
    if (text.includes("\n")) return text.slice(0, text.indexOf("\n"));
  }
  return null;
}
