import { createInterface } from "node:readline";
import { isRefused } from "./refused.ts";
import type { Talk } from "../terminal/talk.ts";

/**
 * Passes on the lines of stdin in order, without empty ones, until stdin ends or `stop` aborts. If the server rejects a line, the
 * command prints a warning and later exits with 1, but continues.
 */
export async function readTyped(use: (line: string) => Promise<void>, stop: AbortSignal, talk: Talk): Promise<void> {
  // The event `abort` has already passed, so the reader would never be closed.
  if (stop.aborted) return;
  const lines = createInterface({ input: process.stdin });
  const close = (): void => lines.close();
  stop.addEventListener("abort", close);
  try {
    for await (const line of lines) {
      if (line !== "" && !stop.aborted) await sendLine(use, line, talk);
    }
  } finally {
    stop.removeEventListener("abort", close);
    // An open stdin would keep the process alive.
    process.stdin.pause();
  }
}

async function sendLine(use: (line: string) => Promise<void>, line: string, talk: Talk): Promise<void> {
  try {
    await use(line);
  } catch (error) {
    if (!isRefused(error)) throw error;
    talk.warn(error.message);
    process.exitCode = 1;
  }
}
