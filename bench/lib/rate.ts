import { setTimeout } from "node:timers/promises";

/**
 * Starts calls at random times, as independent callers do: the gaps are exponential. At fixed times, two loads would always coincide.
 * A call does not wait for earlier ones. Resolves when all have ended.
 * @param perSecond the mean; 0 starts none
 */
export async function atRate(perSecond: number, seconds: number, run: () => Promise<void>): Promise<void> {
  const end = performance.now() + seconds * 1000;
  const all: Promise<void>[] = [];
  const gap = (): number => (-Math.log(1 - Math.random()) * 1000) / perSecond;
  for (let due = performance.now() + gap(); due < end; due += gap()) {
    await setTimeout(Math.max(0, due - performance.now()));
    all.push(run());
  }
  await Promise.all(all);
}
