import { currentTick } from "./tick.ts";

/** The bounds of {@link createTurns}. */
interface TurnLimits {
  /** Bytes that a connection may send in a tick. One that sends more is not read until its turn comes. */
  readonly maxBytes: number;
  /** Connections whose turn comes in each tick. */
  readonly perTick: number;
}

/** A source that can be paused. */
export interface Readable {
  readonly pause: () => void;
  readonly resume: () => void;
}

/** One of the connections that take turns. */
export interface Turn {
  came(bytes: number): void;
  closed(): void;
}

/** Lets connections that send much take turns, so that ticks stay short and connections that send little are read immediately. */
export interface Turns {
  open(source: Readable): Turn;
}

/** Creates turns without waiting connections. */
export function createTurns({ maxBytes, perTick }: TurnLimits): Turns {
  const waiting = new Set<Readable>();
  let isScheduled = false;
  const next = (): void => {
    isScheduled = false;
    const resumed = waiting.values().take(perTick).toArray();
    for (const source of resumed) waiting.delete(source);
    if (waiting.size > 0) schedule();
    for (const source of resumed) source.resume();
  };
  const schedule = (): void => {
    if (!isScheduled) setImmediate(next);
    isScheduled = true;
  };
  return {
    open(source) {
      let [bytes, since] = [0, -1];
      return {
        came(more) {
          const tick = currentTick();
          bytes = since === tick ? bytes + more : more;
          since = tick;
          if (bytes <= maxBytes || waiting.has(source)) return;
          waiting.add(source);
          source.pause();
          schedule();
        },
        closed: () => void waiting.delete(source),
      };
    },
  };
}

/** Reading that two callers may pause: it continues when neither does. */
export function stoppedByTwo(source: Readable): readonly [Readable, Readable] {
  const stops = new Set<Readable>();
  const create = (): Readable => {
    const own: Readable = {
      pause() {
        if (stops.size === 0) source.pause();
        stops.add(own);
      },
      resume() {
        if (stops.delete(own) && stops.size === 0) source.resume();
      },
    };
    return own;
  };
  return [create(), create()];
}
