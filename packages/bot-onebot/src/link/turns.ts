/** Bytes that a connection may send in a tick. One that sends more is not read until its turn comes. */
const maxBytes = 16_384;
/** Connections whose turn comes in each tick. */
const perTick = 4;

/** A source that can be paused. */
interface Readable {
  pause(): void;
  resume(): void;
}

/** One of the connections that take turns. */
export interface Turn {
  came(bytes: number): void;
  closed(): void;
}

/** Lets connections that send much take turns, so that ticks stay short and connections that send little are read immediately. */
interface Turns {
  open(source: Readable): Turn;
}

/** Creates turns without waiting connections. */
export function createTurns(): Turns {
  const waiting = new Set<Readable>();
  let tick = 0;
  let isScheduled = false;
  const next = (): void => {
    tick += 1;
    isScheduled = false;
    for (const source of waiting.values().take(perTick)) {
      waiting.delete(source);
      source.resume();
    }
    if (waiting.size > 0) schedule();
  };
  const schedule = (): void => {
    if (!isScheduled) setImmediate(next);
    isScheduled = true;
  };
  return {
    open(source) {
      let [bytes, since] = [0, tick];
      return {
        came(more) {
          bytes = since === tick ? bytes + more : more;
          since = tick;
          schedule();
          if (bytes <= maxBytes || waiting.has(source)) return;
          waiting.add(source);
          source.pause();
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
