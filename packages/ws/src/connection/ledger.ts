import type { Duplex } from "node:stream";
import { atEndOfTick } from "@telex/core/transport";

/** The methods of a socket that a {@link SendQueue} uses. */
type QueueSocket = Pick<Duplex, "write" | "cork" | "uncork" | "writableLength" | "writableNeedDrain">;

export interface SendQueueDeps {
  readonly socket: QueueSocket;
  /** False after a close frame was sent: no frame may follow it. */
  readonly isOpen: () => boolean;
  /** Called when too much output waits. It should call {@link SendQueue.drop}. */
  readonly overflow: () => void;
}

/** Frames that the socket does not have yet. */
export interface Piece {
  readonly frames: Buffer;
  /** Called when the socket has taken the frames, or fails to. */
  readonly taken?: (error?: Error | null) => void;
}

/** The waiting output of one connection. */
export interface Waiting extends SendQueueDeps {
  /** Frames that the socket does not have yet, in order. */
  queue: Piece[];
  /** Bytes in the queue. */
  queued: number;
  /** Bytes of the queue that the socket did not take at the last attempt. */
  left: number;
  /** Waiting bytes when this connection was last counted. */
  counted: number;
  scheduled: boolean;
  shut: boolean;
}

const bytesOf = (waiting: Waiting): number => (waiting.shut ? 0 : waiting.queued + waiting.socket.writableLength);

/** Sums the waiting bytes over the connections that have any. */
export function createLedger(limit: number) {
  const lagging = new Set<Waiting>();
  let total = 0;
  const count = (waiting: Waiting): void => {
    const bytes = bytesOf(waiting);
    if (bytes === waiting.counted) return;
    total += bytes - waiting.counted;
    waiting.counted = bytes;
    if (bytes === 0) lagging.delete(waiting);
    else lagging.add(waiting);
  };
  const relieve = (): void => {
    // A socket does not report every byte that it sent, so count again before closing a connection.
    for (const waiting of lagging) count(waiting);
    for (const waiting of [...lagging].toSorted((a, b) => b.counted - a.counted)) {
      if (total > limit) waiting.overflow();
    }
  };
  return {
    count,
    /** Like `count`, and closes the fullest connections while too much waits. */
    settle(waiting: Waiting): void {
      count(waiting);
      if (total > limit) relieve();
    },
  };
}

/** Runs once for each scheduled connection, at the end of the tick. */
export function createSchedule(run: (waiting: Waiting) => void): (waiting: Waiting) => void {
  let due: Waiting[] = [];
  const runDue = (): void => {
    const dueNow = due;
    due = [];
    for (const waiting of dueNow) {
      waiting.scheduled = false;
      run(waiting);
    }
  };
  return (waiting) => {
    if (waiting.scheduled) return;
    waiting.scheduled = true;
    if (due.push(waiting) === 1) atEndOfTick(runDue);
  };
}
