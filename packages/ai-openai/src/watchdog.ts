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

/**
 * A watchdog for one reply, with all its attempts. One timer serves all of it: setting one for each piece would cost more
 * than reading it.
 */
export function createWatchdog(
  { firstDelta, betweenDeltas }: Pick<Required<OpenAiTimeouts>, "firstDelta" | "betweenDeltas">,
  clock: Clock,
): Watchdog {
  let left = firstDelta;
  /** When the current waiting began; null while the reader is waited for. */
  let since: number | null = null;
  let due = Infinity;
  let isLate = false;
  let stop = (): void => {};
  let late = (): void => {};
  const waited = (now: number): number => (since === null ? 0 : now - since);
  const lookIn = (time: number): void => {
    stop();
    stop = clock.after(time, look);
    due = clock.now() + time;
  };
  const look = (): void => {
    const rest = left - waited(clock.now());
    if (rest > 0) return lookIn(rest);
    isLate = true;
    late();
  };
  return {
    wait() {
      since ??= clock.now();
      if (due > since + left + 1) lookIn(left);
    },
    rest() {
      left -= waited(clock.now());
      since = null;
    },
    heard() {
      left = betweenDeltas;
      if (since !== null) since = clock.now();
    },
    isLate: () => isLate,
    onLate: (call) => void (late = call),
    end: () => stop(),
  };
}
