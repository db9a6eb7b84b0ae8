import type { Storage } from "@telex/core/storage";
import { createRandom, ticks } from "../testing/index.ts";
import { intercept } from "./intercept.ts";

const bound = 4;

/**
 * The same storage, each call delayed before and after by up to three ticks, so that simultaneous calls interleave in many
 * ways: this reveals code that reads first and writes later. No clock is involved; the same seed gives the same delays.
 * Calls may overtake each other.
 */
export function withLatency(storage: Storage, seed: number): Storage {
  const random = createRandom(seed);
  return intercept(storage, async ({ run }) => {
    const after = random.below(bound);
    await ticks(random.below(bound));
    try {
      return await run();
    } finally {
      await ticks(after);
    }
  });
}
