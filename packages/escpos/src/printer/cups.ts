import { spawn } from "node:child_process";
import type { PrinterLink, PrinterPort } from "./port.ts";

/** A printer of CUPS has taken a text when CUPS has it: CUPS keeps it, and answers no questions. */
export const cupsPort = (name: string): PrinterPort => ({
  open() {
    const child = spawn("lp", ["-d", name, "-o", "raw", "-s"], { stdio: ["pipe", "ignore", "pipe"] });
    const { promise: ended, resolve } = Promise.withResolvers<string>();
    let [errors, isTaken] = ["", false];
    child.stderr.setEncoding("utf8").on("data", (text: string) => (errors = (errors + text).slice(-1000)));
    child.stdin.on("error", () => undefined);
    child.on("error", () => resolve("the command lp cannot be run"));
    child.on("close", (code) => {
      isTaken = code === 0;
      resolve(errors.trim().split("\n").at(-1) || `lp ended with ${code}`);
    });
    const link: PrinterLink = {
      ended,
      hasAnswers: false,
      onByte: () => undefined,
      write: (bytes) =>
        new Promise((done, fail) => child.stdin.write(bytes, (error) => (error ? fail(error) : done()))),
      async finish() {
        child.stdin.end();
        const reason = await ended;
        if (!isTaken) throw new Error(reason);
      },
      destroy: () => void child.kill(),
    };
    return Promise.resolve(link);
  },
});
