import type { Clock } from "@telex/core";
import type { Link } from "./link.ts";

/** Milliseconds that the other side has for its pong. */
const pongTime = 10_000;

/** Whether the other side of a connection still lives. */
export interface Life {
  /** Something has come. */
  heard(): void;
  /** Resolves with true when something comes within some milliseconds of a ping. */
  check(wait: number): Promise<boolean>;
  /** Ends it all. */
  stop(): void;
}

/**
 * Cuts a connection on which nothing comes for some time, nor after a ping.
 * @param silence milliseconds without a frame after which a ping is sent
 */
export function watchLife(link: Link, clock: Clock, silence: () => number): Life {
  let last = clock.now();
  let waiting: ((isAlive: boolean) => void)[] = [];
  let cancel = (): void => {};
  const tell = (isAlive: boolean): void => {
    const told = waiting;
    waiting = [];
    for (const resolve of told) resolve(isAlive);
  };
  const check = (wait: number): Promise<boolean> =>
    new Promise((resolve) => {
      const stop = clock.after(wait, () => resolve(false));
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
  return {
    heard() {
      last = clock.now();
      tell(true);
    },
    check,
    stop() {
      cancel();
      tell(false);
    },
  };
}
