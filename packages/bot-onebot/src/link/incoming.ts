import { createUnfinishedFrames, type UnfinishedFrame } from "./budget.ts";
import { createTurns, stoppedByTwo, type Turn } from "./turns.ts";

/** Bytes of unfinished frames of all connections together. */
const mostUnfinished = 256 * 2 ** 20;

/** A connection whose bytes come in. */
export interface ArrivingSource {
  /** Reads no more until `resume`. */
  pause(): void;
  resume(): void;
  /** All connections together hold too much, and this one the most: it must be cut. */
  tooMuch(): void;
}

/** The bytes that arrive on one connection. */
export interface Arriving {
  /** Stops its reading for reasons of its own. */
  readonly reading: Pick<ArrivingSource, "pause" | "resume">;
  /** Counts bytes that have arrived. */
  came(bytes: number): void;
  /** Counts the bytes among them that were a ping or a pong. */
  handled(bytes: number): void;
  /** A frame is whole. */
  finished(): void;
  /** The connection has ended. */
  closed(): void;
}

/** Keeps what arrives on all connections within bounds: the memory that it takes, and the time of a tick. */
export interface Incoming {
  /** A connection has been opened. */
  open(source: ArrivingSource): Arriving;
}

/** Counts the bytes of a socket, which is cut if all connections together hold too much. */
export const openArriving = (
  incoming: Incoming,
  socket: { readonly pause: () => unknown; readonly resume: () => unknown; readonly terminate: () => void },
  fault: (cause: "too_much") => void,
): Arriving =>
  incoming.open({
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    tooMuch() {
      fault("too_much");
      socket.terminate();
    },
  });

const countIn = (frame: UnfinishedFrame, turn: Turn): Omit<Arriving, "reading"> => ({
  came(bytes) {
    frame.came(bytes);
    turn.came(bytes);
  },
  handled: (bytes) => frame.handled(bytes),
  finished: () => frame.finished(),
  closed() {
    frame.finished();
    turn.closed();
  },
});

/**
 * Bounds the memory of unfinished frames.
 * @param most bytes of unfinished frames of all connections together
 */
export function createIncoming(most: number = mostUnfinished): Incoming {
  const unfinished = createUnfinishedFrames(most);
  const turns = createTurns();
  return {
    open(source) {
      const [reading, taking] = stoppedByTwo(source);
      const frame = unfinished.open(() => source.tooMuch());
      return { reading, ...countIn(frame, turns.open(taking)) };
    },
  };
}
