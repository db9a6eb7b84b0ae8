import { nextTick } from "@telex/core/transport";

/**
 * Waits for everything that needs no timer and no other process.
 * @param count ticks of the event loop, 1 and above; 20 are enough for a call with all that it causes
 */
export async function ticks(count = 20): Promise<void> {
  for (let tick = 0; tick < count; tick += 1) await nextTick();
}

/** Resolves when this is true. Checks once in each tick, and never gives up: the time-out of the test does. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await nextTick();
}
