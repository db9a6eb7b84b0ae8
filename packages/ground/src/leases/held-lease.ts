import type { Clock } from "../time/index.ts";

interface HeldLease {
  readonly fence: number;
  /** Unix milliseconds until which no other server can have the lease. */
  readonly until: number;
}

/** A third of the life remains for clocks that differ, and for ending the work. */
export const heldLeaseFrom = (begun: number, fence: number, life: number): HeldLease => ({
  fence,
  until: begun + (2 * life) / 3,
});

/** The state of a lease that this server holds. It ends if the lease was not renewed for two thirds of its life. */
export function createHeldLease(clock: Clock, ended: () => void) {
  let held: HeldLease | null = null;
  let cancel = (): void => {};
  return {
    current: () => held,
    isHeld: () => held !== null && clock.now() < held.until,
    set(next: HeldLease | null): void {
      cancel();
      held = next;
      if (next !== null) cancel = clock.after(Math.max(0, next.until - clock.now()), ended);
    },
  };
}

/** Runs one task later: only the last one that was planned. */
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
