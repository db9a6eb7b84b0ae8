import { createTurns, stoppedByTwo, type Turn } from "@telex/ws/acceptor";
import { createUnfinishedFrames, type UnfinishedFrame } from "./budget.ts";

/** Maximum bytes of unfinished frames of all connections together. */
const maxUnfinished = 256 * 2 ** 20;

const turnLimits = { maxBytes: 16_384, perTick: 4 };

/** A connection whose bytes arrive. */
export interface ArrivingSource {
  /** Pauses reading until `resume`. */
  pause(): void;
  resume(): void;
  /** Called when all connections together hold too much, and this one the most: it must be cut. */
  tooMuch(): void;
}

/** The bytes that arrive on one connection. */
export interface Arriving {
  /** Pauses its reading for its own reasons. */
  readonly reading: Pick<ArrivingSource, "pause" | "resume">;
  /** Counts bytes that have arrived. */
  came(bytes: number): void;
  /** Counts those bytes that were a ping or a pong. */
  handled(bytes: number): void;
  /** Called when a frame is complete. */
  finished(): void;
  /** Called when the connection has ended. */
  closed(): void;
}

/** Bounds the memory of the bytes that arrive on all connections, and the time that a tick spends on them. */
export interface Incoming {
  /** Called when a connection has been opened. */
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
export function createIncoming(most: number = maxUnfinished): Incoming {
  const unfinished = createUnfinishedFrames(most);
  const turns = createTurns(turnLimits);
  return {
    open(source) {
      const [reading, taking] = stoppedByTwo(source);
      const frame = unfinished.open(() => source.tooMuch());
      return { reading, ...countIn(frame, turns.open(taking)) };
    },
  };
}
