import { tmpdir } from "node:os";
import { Readable, Writable } from "node:stream";
import { createAnswers } from "test-support/answers";
import { cleanEnvironment, type Outcome, type RunOptions } from "test-support/command";
import { run } from "../src/program.ts";

/** The parts of a process that a command reads and writes. */
const parts = ["env", "stdin", "stdout", "stderr"] as const;

type HereOptions = Omit<RunOptions, "node">;

/** Calls one after another: they share the folder and the environment of this process. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command to its end, as `telex` of `test-support/command` does, but from the sources and in this process: a separate process takes a
 * fifth of a second. For commands that end by themselves, and neither read signals nor call `process.exit`.
 */
export function telexHere(args: readonly string[], options: HereOptions = {}): Promise<Outcome> {
  const outcome = last.then(() => runHere(args, options));
  last = outcome.catch(() => undefined);
  return outcome;
}

async function runHere(
  args: readonly string[],
  { cwd = tmpdir(), env = {}, input = "" }: HereOptions,
): Promise<Outcome> {
  const [stdout, stderr] = [collect(), collect()];
  const folder = process.cwd();
  const { exitCode, stderr: stderrHere } = process;
  const restore = replace({
    env: { ...cleanEnvironment(), ...env },
    stdin: Readable.from([Buffer.from(input)]),
    stdout: stdout.stream,
    stderr: stderr.stream,
  });
  const restoreWarnings = divertWarnings(stderrHere);
  process.chdir(cwd);
  process.exitCode = undefined;
  try {
    return { code: await run(args), stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    process.exitCode = exitCode;
    process.chdir(folder);
    restoreWarnings();
    restore();
  }
}

/**
 * Prints warnings of this process on its own stderr: they concern the test files that it has run, not the command. Returns a function that
 * stops this.
 */
function divertWarnings(stderr: Pick<Writable, "write">): () => void {
  const printers = process.listeners("warning");
  const print = ({ name, message }: Error): void => void stderr.write(`${name}: ${message}\n`);
  process.removeAllListeners("warning").on("warning", print);
  return () => {
    process.off("warning", print);
    for (const printer of printers) process.on("warning", printer);
  };
}

/** A stream that collects the written text. */
function collect() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    decodeStrings: true,
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString() };
}

/** Replaces parts of this process. Returns a function that restores them. */
function replace(values: Readonly<Record<(typeof parts)[number], unknown>>): () => void {
  const before = parts.map((name) => [name, Object.getOwnPropertyDescriptor(process, name)] as const);
  for (const name of parts)
    Object.defineProperty(process, name, { value: values[name], configurable: true, enumerable: true, writable: true });
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor !== undefined) Object.defineProperty(process, name, descriptor);
  };
}

/** For commands in this process: {@link createAnswers}. */
export const { answer, refusal } = createAnswers(telexHere);
