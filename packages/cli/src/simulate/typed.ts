import { createInterface } from "node:readline";
import { isRefused } from "./refused.ts";
import type { Talk } from "../terminal/talk.ts";

/**
 * Hands over the lines of stdin, one after the other, until stdin ends or `stop` is aborted; empty lines are passed over. A line
 * that the server refuses is warned of and ends nothing, but makes the exit code 1.
 */
export async function readTyped(use: (line: string) => Promise<void>, stop: AbortSignal, talk: Talk): Promise<void> {
  // Nothing would close it: the end is told only once.
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
