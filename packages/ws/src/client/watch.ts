import type { ClientClock } from "./clock.ts";

interface WatchOptions {
  readonly clock: ClientClock;
  readonly ping: () => Promise<void>;
  /** Called if no frame arrives in time. */
  readonly giveUp: () => void;
}

/** Watches one connection. */
interface Watch {
  /** Resolves when the service has answered. Rejects if the connection ends first. */
  readonly probe: () => Promise<void>;
  /** Notes that a frame arrived. */
  readonly heard: () => void;
  readonly stop: () => void;
}

/** Milliseconds between two pings. */
const pingInterval = 30_000;
/** Maximum milliseconds for connecting, and for a response to a ping. */
const timeLimit = 10_000;

/**
 * Detects a dead connection. Programs cannot see the pings of the protocol, so the client sends a command of its own. Any frame
 * counts as a response, because the actual one may wait behind many events.
 */
export function createWatch({ clock, ping, giveUp }: WatchOptions): Watch {
  let heard = 0;
  let cancel = (): void => {};
  const expect = (): void => {
    const before = heard;
    cancel();
    cancel = clock.after(timeLimit, () => (heard > before ? expect() : giveUp()));
  };
  const probe = async (): Promise<void> => {
    expect();
    await ping();
    cancel();
    cancel = clock.after(pingInterval, () => void probe().catch(() => {}));
  };
  expect();
  return {
    probe,
    heard() {
      heard += 1;
    },
    stop: () => cancel(),
  };
}
