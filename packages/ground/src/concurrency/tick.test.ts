import { expect, it } from "vitest";
import { createPace } from "./tick.ts";

/** The number of parts that begin in the first tick. */
async function startedAtOnce(most: number, parts: readonly number[]): Promise<number> {
  const pace = createPace(most);
  let started = 0;
  let isOver = false;
  const run = async (): Promise<void> => {
    for (const work of parts) {
      await pace(work);
      if (!isOver) started += 1;
    }
  };
  const all = run();
  await new Promise<void>((resolve) => process.nextTick(resolve));
  isOver = true;
  await all;
  return started;
}

it("work that fits into a tick begins in it, and the rest waits for the next tick", async () => {
  expect(await startedAtOnce(10, [4, 3, 3, 1, 1])).toBe(3);
});

it("the first part begins immediately, even if it is more than one tick should have", async () => {
  expect(await startedAtOnce(10, [11, 1])).toBe(1);
});
