import { spawn } from "node:child_process";
import { once } from "node:events";

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  /** Variables in addition to those of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** The standard input of the program. Default: empty. */
  readonly input?: string;
}

/**
 * Runs a program to its end.
 * @throws Error if there is no such program
 */
async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const env = { ...process.env, ...options.env };
  const child = spawn(command, args, { cwd: options.cwd, env, stdio: "pipe" });
  // A program that ends without reading everything is judged by its code.
  child.stdin.on("error", () => undefined).end(options.input ?? "");
  let [stdout, stderr] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
  await once(child, "close");
  return { code: child.exitCode, stdout, stderr };
}

/**
 * Runs a program that must succeed, and returns what it wrote to its standard output.
 * @throws Error with its output, if it ended with another code than 0
 */
export async function runToSuccess(command: string, args: readonly string[], options?: RunOptions): Promise<string> {
  const { code, stdout, stderr } = await run(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${code}:\n${stdout}\n${stderr}`);
  return stdout;
}
