import type { ClientClock } from "./clock.ts";

/** What a {@link createWatch watch} needs. */
interface WatchOptions {
  readonly clock: ClientClock;
  readonly ping: () => Promise<void>;
  /** Nothing was heard in time. */
  readonly giveUp: () => void;
}

/** Looks after one connection. */
interface Watch {
  /** Resolves when the service has answered. Rejects if the connection ends first. */
  readonly probe: () => Promise<void>;
  /** A frame has come. */
  readonly heard: () => void;
  readonly stop: () => void;
}

/** Milliseconds between two pings. */
const pingInterval = 30_000;
/** Milliseconds for connecting, and for a sign of life. */
const patience = 10_000;

/**
 * Finds out that a connection is dead. Programs cannot see the pings of the protocol, so it sends a command of its own; any frame
 * counts as a sign of life, because an answer may wait behind many events.
 */
export function createWatch({ clock, ping, giveUp }: WatchOptions): Watch {
  let heard = 0;
  let cancel = (): void => {};
  const expect = (): void => {
    const before = heard;
    cancel();
    cancel = clock.after(patience, () => (heard > before ? expect() : giveUp()));
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
