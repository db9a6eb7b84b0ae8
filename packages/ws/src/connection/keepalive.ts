import type { Clock } from "@telex/core";
import type { Beating } from "./heartbeat.ts";
import type { Sender } from "./sender.ts";
import type { Socket } from "./socket.ts";
import { encodePing } from "./wire.ts";

/** The pings of one connection and the pongs that come back. */
interface Keepalive extends Beating {
  /** Sends a ping. Resolves with true if a pong arrives within `wait` milliseconds. */
  readonly ask: (wait: number) => Promise<boolean>;
  /** Notes a pong. */
  readonly ponged: () => void;
}

interface KeepaliveDeps {
  readonly sender: Sender;
  readonly socket: Socket;
  readonly clock: Clock;
  /** False while reading is paused, so that no pong can arrive. */
  readonly isRead: () => boolean;
}

const ping = encodePing();

/** The callers that wait for a pong. */
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

/** Cuts a connection that does not answer a ping of its heartbeat before the next one. */
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
