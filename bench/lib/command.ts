import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** What a whole command took. */
export type Timed = {
  readonly ms: number;
  /** User and system time of the process, of all its threads: other programs on the machine change it less than the time on the clock. */
  readonly "CPU ms": number;
};

const run = promisify(execFile);

/** The shell measures its child to the microsecond, and prints milliseconds. */
const script = 'TIMEFORMAT="%3R %3U %3S"; time "$@" > "$0"';

/**
 * Runs a command to its end.
 * @param output the file that it prints to
 * @throws Error if it fails
 */
export async function timeCommand(command: readonly string[], output = "/dev/null"): Promise<Timed> {
  // Here sharp is found.
  const cwd = new URL("..", import.meta.url);
  const { stderr } = await run("bash", ["-c", script, output, ...command], { cwd });
  const [ms = 0, user = 0, system = 0] = (stderr.trimEnd().split("\n").at(-1) ?? "")
    .split(" ")
    .map((seconds) => Number(seconds) * 1000);
  return { ms, "CPU ms": user + system };
}
