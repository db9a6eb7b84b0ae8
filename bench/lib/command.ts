import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** The time of a whole command. */
export type Timed = {
  readonly ms: number;
  /** User and system time of all threads. Other programs of the machine affect it less than wall-clock time. */
  readonly "CPU ms": number;
};

const run = promisify(execFile);

/** The shell measures its child in microseconds, and prints milliseconds. */
const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" > "$0"';

/**
 * Runs a command to its end.
 * @param output the file that it prints to
 * @throws Error if it fails
 */
export async function timeCommand(command: readonly string[], output = "/dev/null"): Promise<Timed> {
  // Node finds sharp from here.
  const cwd = new URL("..", import.meta.url);
  const { stderr } = await run("bash", ["-c", script, output, ...command], { cwd });
  const [ms = 0, user = 0, system = 0] = (stderr.trimEnd().split("\n").at(-1) ?? "")
    .split(" ")
    .map((seconds) => Number(seconds) * 1000);
  return { ms, "CPU ms": user + system };
}
