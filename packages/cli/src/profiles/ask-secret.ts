import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { Failure } from "../errors/errors.ts";

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

/**
 * Asks for a secret on a terminal without showing it.
 * @throws Failure `aborted` for Ctrl-C, or when the terminal ends
 */
export async function askSecret(question: string): Promise<string> {
  // Echo is turned off before the question appears, because a person may type or paste immediately.
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
