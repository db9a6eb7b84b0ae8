import type { Clock } from "@telex/core";
import type { Beating } from "./heartbeat.ts";
import type { Line } from "./line.ts";
import type { Link } from "./link.ts";
import { createPongs } from "./pongs.ts";
import { encodePing } from "./wire.ts";

/** Pings of one connection and what comes back. */
export interface Pulse extends Beating {
  /** Pings now. Resolves with true when a pong comes within `wait` milliseconds. */
  readonly ask: (wait: number) => Promise<boolean>;
  /** A pong has come. */
  readonly ponged: () => void;
}

/** What a {@link Pulse} needs. */
export interface PulseOptions {
  readonly line: Line;
  readonly link: Link;
  readonly clock: Clock;
  /** False while the connection is not read, so that no pong can come in. */
  readonly isRead: () => boolean;
}

const ping = encodePing();

/** The pulse of a connection: it is cut when it has not answered the last ping of its heartbeat by the next. */
export function createPulse({ line, link, clock, isRead }: PulseOptions): Pulse {
  const pongs = createPongs(clock);
  let alive = true;
  line.atEnd(pongs.end);
  return {
    beat() {
      if (line.isEnded() || !isRead()) return;
      if (!alive) {
        link.terminate();
        return;
      }
      alive = false;
      line.write([ping]);
    },
    ask(wait) {
      if (line.isEnded()) return Promise.resolve(false);
      line.write([ping]);
      return pongs.next(wait);
    },
    ponged() {
      alive = true;
      pongs.came();
    },
  };
}
