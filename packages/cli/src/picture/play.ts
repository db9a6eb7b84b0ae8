import { setTimeout as pause } from "node:timers/promises";
import { untilStopped } from "../terminal/signals.ts";
import type { Drawing } from "./drawing.ts";

const hideCursor = "\u001B[?25l";
const showCursor = "\u001B[?25h";

/** Moves the cursor back to the first line of a frame. */
const backOver = (lines: number): string => `\u001B[${lines}A\r`;

/**
 * Plays an animation on the terminal until its end or a signal. The last frame stays.
 * @param frames the frames as text, all with the same number of lines
 */
export async function play({ picture }: Drawing, frames: readonly string[]): Promise<void> {
  process.stdout.write(hideCursor);
  try {
    await showAll(picture, frames, untilStopped());
  } finally {
    process.stdout.write(showCursor);
  }
}

async function showAll(
  { delays, loops }: Drawing["picture"],
  frames: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const lines = (frames[0] ?? "").split("\n").length - 1;
  const rounds = loops === 0 ? Number.POSITIVE_INFINITY : loops;
  for (let round = 0; round < rounds && !signal.aborted; round += 1) {
    for (const [at, frame] of frames.entries()) {
      if (signal.aborted) return;
      process.stdout.write(round + at === 0 ? frame : `${backOver(lines)}${frame}`);
      await pause(delays[at], undefined, { signal }).catch(() => undefined);
    }
  }
}
