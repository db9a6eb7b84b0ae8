import type { Clock } from "@telex/core";
import type { OpenAiTimeouts } from "./options.ts";

/** Notices a service that is silent for too long. Only time in which Telex waits for the service counts. */
export interface Watchdog {
  /** Starts to count time. */
  wait(): void;
  /** Stops counting time. */
  rest(): void;
  /** Notes that the service sent a piece of the reply. Its time starts again. */
  heard(): void;
  /** True after the service was late. */
  isLate(): boolean;
  /** Sets the function to call when the service is late. It replaces the previous one. */
  onLate(late: () => void): void;
  /** Ends the watchdog with its reply. */
  end(): void;
}

/** Calls `look` after a time. One timer serves all pieces, because a timer for each piece would cost more than reading it. */
function createTimer(clock: Clock, look: () => void) {
  let due = Infinity;
  let stop = (): void => {};
  return {
    isAfter: (time: number): boolean => due > time + 1,
    stop: () => stop(),
    set(time: number): void {
      stop();
      stop = clock.after(time, look);
      due = clock.now() + time;
    },
  };
}

/** Creates the watchdog of one reply with all its attempts. */
export function createWatchdog(
  { firstDelta, betweenDeltas }: Pick<Required<OpenAiTimeouts>, "firstDelta" | "betweenDeltas">,
  clock: Clock,
): Watchdog {
  let left = firstDelta;
  /** The time at which the current wait for the service began; null while the reader is slow. */
  let since: number | null = null;
  let isLate = false;
  let late = (): void => {};
  const waited = (): number => (since === null ? 0 : clock.now() - since);
  const timer = createTimer(clock, () => {
    const rest = left - waited();
    if (rest > 0) return timer.set(rest);
    isLate = true;
    late();
  });
  return {
    wait() {
      since ??= clock.now();
      if (timer.isAfter(since + left)) timer.set(left);
    },
    rest() {
      left -= waited();
      since = null;
    },
    heard() {
      left = betweenDeltas;
      if (since !== null) since = clock.now();
    },
    isLate: () => isLate,
    onLate: (call) => void (late = call),
    end: () => timer.stop(),
  };
}
