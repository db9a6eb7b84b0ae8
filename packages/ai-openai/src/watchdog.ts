import type { OpenAiTimeouts } from "./options.ts";

/** Notices when a service says nothing for too long. Only the time counts in which it is waited for. */
export interface Watchdog {
  /** From now on the service is waited for. */
  wait(): void;
  /** Nobody waits for it now. */
  rest(): void;
  /** The service has said a piece of the reply: it has its time anew. */
  heard(): void;
  /** The attempt is over. */
  end(): void;
}

/**
 * A watchdog for one attempt. One timer serves all of it: setting one for each piece would cost more than reading it.
 * @param late called when the service is late
 */
export function createWatchdog(
  { firstDelta, betweenDeltas }: Pick<Required<OpenAiTimeouts>, "firstDelta" | "betweenDeltas">,
  late: () => void,
): Watchdog {
  let left = firstDelta;
  /** When the waiting began that goes on; null while the reader is waited for. */
  let since: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  let due = Infinity;
  const waited = (now: number): number => (since === null ? 0 : now - since);
  const lookIn = (time: number): void => {
    clearTimeout(timer);
    timer = setTimeout(look, time);
    due = performance.now() + time;
  };
  const look = (): void => {
    const rest = left - waited(performance.now());
    if (rest > 0) lookIn(rest);
    else late();
  };
  return {
    wait() {
      since = performance.now();
      if (due > since + left + 1) lookIn(left);
    },
    rest() {
      left -= waited(performance.now());
      since = null;
    },
    heard() {
      left = betweenDeltas;
      if (since !== null) since = performance.now();
    },
    end: () => clearTimeout(timer),
  };
}
