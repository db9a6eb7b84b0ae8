import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Failure } from "../errors.ts";

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Asks for a secret on a terminal, and does not show what is typed.
 * @throws Failure `aborted` for Ctrl-C, or when the terminal ends
 */
export async function askSecret(question: string): Promise<string> {
  // First the terminal is told to show nothing: somebody may type or paste as soon as the question is there.
  const lines = createInterface({ input: process.stdin, output: nowhere(), terminal: true });
  process.stderr.write(question);
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  lines.once("SIGINT", () => lines.close());
  lines.once("close", () => reject(new Failure("aborted", "No token was given.")));
  try {
    return (await Promise.race([lines.question(""), aborted])).trim();
  } finally {
    aborted.catch(() => undefined);
    lines.close();
    process.stderr.write("\n");
  }
}
