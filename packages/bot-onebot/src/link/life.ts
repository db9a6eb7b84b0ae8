import type { Clock } from "@telex/core";
import type { Link } from "./link.ts";

/** Milliseconds for the other side to send its pong. */
const pongTime = 10_000;

/** Checks that the other side of a connection is still alive. */
export interface Life {
  /** Called when something has arrived. */
  heard(): void;
  /**
   * Resolves with true when something arrives within some milliseconds of a ping, and with false when the connection has ended. A paused
   * connection counts as alive: its pong is not seen, but the ping ends the connection if the other side is gone.
   */
  check(wait: number): Promise<boolean>;
  /** Called when the connection is paused or resumed. */
  setRead(isRead: boolean): void;
  /** Ends the checks. */
  stop(): void;
}

/**
 * Cuts a connection on which no frame arrives for some time, and none after a ping. A paused connection stays: its silence proves nothing.
 * @param silence milliseconds without a frame after which a ping is sent
 */
export function watchLife(link: Link, clock: Clock, silence: () => number): Life {
  let last = clock.now();
  let waiting: ((isAlive: boolean) => void)[] = [];
  let cancel = (): void => {};
  let isRead = true;
  const tell = (isAlive: boolean): void => {
    const resolves = waiting;
    waiting = [];
    for (const resolve of resolves) resolve(isAlive);
  };
  const check = (wait: number): Promise<boolean> =>
    new Promise((resolve) => {
      const stop = clock.after(wait, () => resolve(!isRead));
      waiting.push((isAlive) => {
        stop();
        resolve(isAlive);
      });
      link.ping();
    });
  const look = (): void => {
    const left = last + silence() - clock.now();
    if (left > 0) {
      cancel = clock.after(left, look);
      return;
    }
    void check(pongTime).then((isAlive) => (isAlive ? look() : link.terminate()));
  };
  look();
  const heard = (): void => {
    last = clock.now();
    tell(true);
  };
  return {
    heard,
    check,
    setRead(next) {
      isRead = next;
      // Bytes that arrived during the pause are read now.
      if (isRead) heard();
    },
    stop() {
      cancel();
      tell(false);
    },
  };
}
