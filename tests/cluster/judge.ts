import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const folder = join(dirname(fileURLToPath(import.meta.url)), "judge");
const cache = fileURLToPath(new URL("../../node_modules/.cache/judge", import.meta.url));
const program = join(cache, "judge");

/** A text, with its id. */
export interface Entry {
  readonly word: string;
  readonly id: number;
}

/** The answer to a call. `error` is empty for a success. */
export interface Answer {
  readonly error?: string;
  readonly id?: number;
  readonly word?: string;
  readonly entries?: readonly Entry[];
}

/** A call, as a model sees it. */
export interface Call {
  readonly do: string;
  readonly who?: string;
  readonly word?: string;
  readonly id?: number;
}

/** A call that was made. */
export interface Made extends Call {
  readonly client: number;
  /** Microseconds. */
  readonly begun: number;
  readonly ended: number;
  /** Null if its outcome is unknown: it may take effect at any later time, or never. */
  readonly answer: Answer | null;
}

/** The models of the judge. */
export type Model = "room" | "queue" | "marker" | "code" | "claim" | "name";

/** Calls on one record, from all clients. */
export interface History {
  readonly model: Model;
  readonly calls: readonly Made[];
}

/** Builds the judge with Go. Reuses earlier builds. */
export async function installJudge(): Promise<void> {
  const env = {
    ...process.env,
    // A common place for Go that is often missing from the path.
    PATH: `${process.env["PATH"]}:/usr/local/go/bin`,
    GOCACHE: join(cache, "build"),
    GOMODCACHE: join(cache, "modules"),
    GOFLAGS: "-mod=readonly -modcacherw -buildvcs=false",
    GOTOOLCHAIN: "local",
  };
  await promisify(execFile)("go", ["build", "-o", program, "."], { cwd: folder, env });
}

/**
 * Judges histories with porcupine, a checker of linearizability.
 * @returns a word for each: `Ok` if one order of its calls explains all answers, `Illegal`, or `Unknown` if the search took a minute
 */
export async function judge(histories: readonly History[]): Promise<readonly string[]> {
  const child = spawn(program, { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(child, "exit");
  child.stdin.end(JSON.stringify(histories));
  const lines = (await text(child.stdout)).trim().split("\n");
  await ended;
  if (lines.length !== histories.length) throw new Error(`The judge answered ${lines.length} lines.`);
  return lines;
}
