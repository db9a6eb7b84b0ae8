import type { Clock } from "@telex/core";
import type { Beating } from "./heartbeat.ts";
import type { Sender } from "./sender.ts";
import type { Socket } from "./socket.ts";
import { encodePing } from "./wire.ts";

/** The pings of one connection and the pongs that come back. */
interface Keepalive extends Beating {
  /** Pings now. Resolves with true when a pong comes within `wait` milliseconds. */
  readonly ask: (wait: number) => Promise<boolean>;
  /** A pong has come. */
  readonly ponged: () => void;
}

/** What a {@link Keepalive} needs. */
interface KeepaliveDeps {
  readonly sender: Sender;
  readonly socket: Socket;
  readonly clock: Clock;
  /** False while the connection is not read, so that no pong can come in. */
  readonly isRead: () => boolean;
}

const ping = encodePing();

/** Those who wait for a pong. */
function createWaiting(clock: Clock) {
  const waiting = new Set<(came: boolean) => void>();
  return {
    settle(came: boolean): void {
      for (const resolve of waiting) resolve(came);
      waiting.clear();
    },
    next: (wait: number) =>
      new Promise<boolean>((resolve) => {
        const settle = (came: boolean): void => {
          cancel();
          waiting.delete(settle);
          resolve(came);
        };
        const cancel = clock.after(wait, () => settle(false));
        waiting.add(settle);
      }),
  };
}

/** Cuts a connection that has not answered the last ping of its heartbeat by the next. */
export function createKeepalive({ sender, socket, clock, isRead }: KeepaliveDeps): Keepalive {
  const waiting = createWaiting(clock);
  let isAlive = true;
  sender.atEnd(() => waiting.settle(false));
  return {
    beat() {
      if (sender.isEnded() || !isRead()) return;
      if (!isAlive) {
        socket.terminate();
        return;
      }
      isAlive = false;
      sender.write([ping]);
    },
    ask(wait) {
      if (sender.isEnded()) return Promise.resolve(false);
      sender.write([ping]);
      return waiting.next(wait);
    },
    ponged() {
      isAlive = true;
      waiting.settle(true);
    },
  };
}
