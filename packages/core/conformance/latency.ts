import { setImmediate } from "node:timers/promises";
import type { Storage } from "../src/storage/storage.ts";
import { intercept } from "./intercept.ts";
import { createRandom } from "./random.ts";

const turnsAtMost = 4;

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await setImmediate();
}

/**
 * The same storage, each call delayed before and after by up to three turns of the event loop, so that calls at once meet
 * in ever new ways: what reads first and writes later is found out. No clock is involved; the same seed delays alike.
 * Calls may overtake each other.
 */
export function withLatency(storage: Storage, seed: number): Storage {
  const random = createRandom(seed);
  return intercept(storage, async ({ run }) => {
    const after = random.below(turnsAtMost);
    await turns(random.below(turnsAtMost));
    try {
      return await run();
    } finally {
      await turns(after);
    }
  });
}
