import type { Clock } from "@telex/core";
import type { OpenAiTimeouts } from "./options.ts";

/** Notices when a service says nothing for too long. Only the time counts in which it is waited for. */
export interface Watchdog {
  /** From now on the service is waited for. */
  wait(): void;
  /** Nobody waits for it now. */
  rest(): void;
  /** The service has said a piece of the reply: its time starts again. */
  heard(): void;
  /** True once the service was late. */
  isLate(): boolean;
  /** Calls this when the service is late, in place of what was called before. */
  onLate(late: () => void): void;
  /** The reply is over. */
  end(): void;
}

/** Looks in after a time. One timer serves all: setting one for each piece would cost more than reading it. */
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

/** A watchdog for one reply, with all its attempts. */
export function createWatchdog(
  { firstDelta, betweenDeltas }: Pick<Required<OpenAiTimeouts>, "firstDelta" | "betweenDeltas">,
  clock: Clock,
): Watchdog {
  let left = firstDelta;
  /** When the current waiting began; null while the reader is waited for. */
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
