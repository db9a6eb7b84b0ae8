import type { Duplex } from "node:stream";

/** Bytes of a chunk after which its connection waits for its turn. */
const largeChunk = 8 * 1024;

/** Calls one of those that wait in each tick, in order. */
export type Turns = (next: () => void) => void;

/** The turns of the connections of a server. */
export function createTurns(): Turns {
  const waiting: (() => void)[] = [];
  const run = (): void => {
    waiting[0]?.();
    waiting.shift();
    if (waiting.length > 0) setImmediate(run);
  };
  return (next) => {
    if (waiting.length === 0) setImmediate(run);
    waiting.push(next);
  };
}

/** How a connection is paused. */
interface Flow {
  readonly pause: () => void;
  readonly resume: () => void;
}

/**
 * Lets connections take turns that send much at once. Node reads up to 2 MiB of a connection in a tick, and with the smallest frames nobody
 * else would be served while all of them are read. The returned `Flow` pauses for a reason of its own.
 */
export function readInTurns(stream: Duplex, flow: Flow, turns: Turns): Flow {
  let [isPaused, isWaiting] = [false, false];
  stream.on("data", (chunk: Buffer) => {
    if (chunk.length < largeChunk || isWaiting) return;
    isWaiting = true;
    flow.pause();
    turns(() => {
      isWaiting = false;
      if (!isPaused) flow.resume();
    });
  });
  return {
    pause() {
      isPaused = true;
      flow.pause();
    },
    resume() {
      isPaused = false;
      if (!isWaiting) flow.resume();
    },
  };
}
