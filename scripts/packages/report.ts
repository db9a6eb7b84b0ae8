import { execFile } from "node:child_process";

/** The outcome of a program. */
export interface Ran {
  readonly status: number | null;
  readonly output: string;
}

/** Prints one line about a check and, if it failed, its output. */
export function report(name: string, passed: boolean, output: string): boolean {
  console.log(`${passed ? "ok  " : "FAIL"} ${name}`);
  if (!passed) console.log(output);
  return passed;
}

/** Runs a program to its end. */
export const run = (cwd: string, command: string, args: readonly string[]): Promise<Ran> =>
  new Promise((done) => {
    const child = execFile(command, args, { cwd, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      done({ status: child.exitCode, output: [stdout, stderr, error?.message].filter(Boolean).join("\n") });
    });
    child.stdin?.end();
  });

/** Runs a program that passes by exiting with 0. */
export async function check(name: string, cwd: string, command: string, args: readonly string[]): Promise<boolean> {
  const { status, output } = await run(cwd, command, args);
  return report(name, status === 0, output);
}
