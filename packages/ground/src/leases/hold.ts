import type { Clock } from "../time/index.ts";

interface Held {
  readonly fence: number;
  /** Unix milliseconds until which no other server can have it. */
  readonly until: number;
}

/** A third of the life is left for clocks that differ, and for work that is being ended. */
export const heldFrom = (begun: number, fence: number, life: number): Held => ({
  fence,
  until: begun + (2 * life) / 3,
});

/** The hold of this server on a lease. It ends when the lease was not renewed for two thirds of its life. */
export function createHold(clock: Clock, ended: () => void) {
  let held: Held | null = null;
  let cancel = (): void => {};
  return {
    current: () => held,
    isHeld: () => held !== null && clock.now() < held.until,
    set(next: Held | null): void {
      cancel();
      held = next;
      if (next !== null) cancel = clock.after(Math.max(0, next.until - clock.now()), ended);
    },
  };
}

/** Runs one task later: the last one that was planned. */
export function createPlan(clock: Clock) {
  let cancel = (): void => {};
  return {
    plan(delay: number, run: () => Promise<void>): void {
      cancel();
      cancel = clock.after(delay, () => void run());
    },
    cancel: () => cancel(),
  };
}
