import { type ChildProcess, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";

/** A program that takes texts. */
export interface Program {
  /** For `sh -c`. */
  readonly command: string;
  /** Seconds that it may take for one text. */
  readonly timeout: number;
  /** Characters of its standard output that are kept; more is dropped. */
  readonly kept: number;
  /** Milliseconds between SIGTERM and SIGKILL for a program that took too long. Default: 5000. */
  readonly grace?: number;
}

/** A text, as a program gets it. */
export interface ProgramText {
  readonly id: number;
  readonly content: string;
  readonly title: string;
  readonly priority: number;
}

export interface ProgramResult {
  /** Null if the program ended with 0; otherwise how it ended, for a person. */
  readonly fault: string | null;
  readonly output: string;
}

/** Milliseconds to wait for the last output. A process that left its group may keep the pipe open. */
const lastOutput = 1000;
/** Characters of standard error that are kept, for the fault. */
const errorKept = 1000;

/** The program runs without a token: not in its environment, and without the folder in which systemd puts the file of one. */
function environmentOf({ id, title, priority }: ProgramText): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(
    ([name]) => !name.startsWith("TELEX_") && name !== "CREDENTIALS_DIRECTORY",
  );
  return {
    ...Object.fromEntries(own),
    TELEX_TEXT_ID: String(id),
    // An environment cannot contain this character.
    TELEX_TEXT_TITLE: title.replaceAll("\0", ""),
    TELEX_TEXT_PRIORITY: String(priority),
  };
}

/** Kills the program and all processes that it has started. */
function killGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}

/** Reads a stream to its end, and keeps its first or its last characters. */
function keep(stream: Readable, most: number, part: "first" | "last"): () => string {
  let kept = "";
  stream.setEncoding("utf8");
  stream.on("data", (piece: string) => {
    if (part === "last") kept = (kept + piece).slice(-most);
    else if (kept.length < most) kept = (kept + piece).slice(0, most);
  });
  return () => kept;
}

/** Ends a program that takes too long. The returned function cancels this, and returns true if the program was already ended. */
function limitTime(child: ChildProcess, { timeout, grace = 5000 }: Program): () => boolean {
  let isLate = false;
  let kill: NodeJS.Timeout | undefined;
  const term = setTimeout(() => {
    isLate = true;
    killGroup(child, "SIGTERM");
    kill = setTimeout(() => killGroup(child, "SIGKILL"), grace);
  }, timeout * 1000);
  return () => {
    clearTimeout(term);
    clearTimeout(kill);
    return isLate;
  };
}

type Exit = readonly [code: number | null, signal: NodeJS.Signals | null];

const ended = (child: ChildProcess): Promise<Exit> =>
  new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code, signal) => resolve([code, signal]));
  });

/** Resolves when the program has ended, and no process of its group is left. */
async function exitOf(child: ChildProcess): Promise<Exit> {
  const closed = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const exited = ended(child);
  const onExit = (): void => killGroup(child, "SIGKILL");
  process.once("exit", onExit);
  try {
    const exit = await exited;
    killGroup(child, "SIGKILL");
    await Promise.race([closed, pause(lastOutput, undefined, { ref: false })]);
    return exit;
  } finally {
    process.removeListener("exit", onExit);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}

const lastLine = (text: string): string => text.trimEnd().split("\n").at(-1) ?? "";

function faultOf([code, signal]: Exit, timeout: number | null, error: string): string | null {
  if (code === 0 && timeout === null) return null;
  const how =
    timeout !== null
      ? `the program was stopped after ${timeout} s`
      : code === null
        ? `the program was ended by ${signal ?? "a signal"}`
        : `the program ended with ${code}`;
  return error === "" ? how : `${how}: ${error}`;
}

/**
 * Runs a program with a text on its standard input, in a process group of its own, which ends with the program. Never rejects: a program
 * that cannot be started has a fault.
 */
export async function runProgram(program: Program, text: ProgramText): Promise<ProgramResult> {
  const { command, timeout, kept } = program;
  const child = spawn("sh", ["-c", command], { detached: true, stdio: "pipe", env: environmentOf(text) });
  const output = keep(child.stdout, kept, "first");
  const errors = keep(child.stderr, errorKept, "last");
  // A program may end without reading its input.
  child.stdin.on("error", () => {});
  child.stdin.end(text.content);
  const endLimit = limitTime(child, program);
  try {
    const exit = await exitOf(child);
    const isLate = endLimit();
    return { fault: faultOf(exit, isLate ? timeout : null, lastLine(errors())), output: output() };
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return { fault: `the program cannot be started: ${reason}`, output: "" };
  } finally {
    endLimit();
  }
}
