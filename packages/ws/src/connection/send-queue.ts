import type { Duplex } from "node:stream";
import { atEndOfTick } from "@telex/core/transport";

/** The methods of a socket that a {@link SendQueue} uses. */
type QueueSocket = Pick<Duplex, "write" | "cork" | "uncork" | "writableLength" | "writableNeedDrain">;

/** The frames that wait for the socket of one connection. Writers never wait. */
interface SendQueue {
  /** Queues whole frames. Frames of one tick leave in one write. */
  readonly write: (frames: readonly Buffer[]) => void;
  /** Resolves with true when the socket has taken all frames, or with false if the connection ends first. */
  readonly flushed: () => Promise<boolean>;
  /** Continues after the socket has drained. */
  readonly drained: () => void;
  /** Passes all queued frames to the socket and accepts no more. A close frame may follow. */
  readonly finish: () => void;
  /** Drops all queued frames and accepts no more. */
  readonly drop: () => void;
}

interface SendQueueDeps {
  readonly socket: QueueSocket;
  /** False after a close frame was sent: no frame may follow it. */
  readonly isOpen: () => boolean;
  /** Called when too much output waits. It should call {@link SendQueue.drop}. */
  readonly overflow: () => void;
}

/** The send queues of all connections. */
export interface SendQueues {
  open(deps: SendQueueDeps): SendQueue;
}

/** Bounds of {@link SendQueues}, in bytes. */
interface SendQueueLimits {
  /** Maximum bytes that wait for one connection before the next write. */
  readonly each: number;
  /** Maximum bytes that wait for all connections. Beyond it, the fullest ones overflow. */
  readonly all: number;
}

/** Frames that the socket does not have yet. */
interface Piece {
  readonly frames: Buffer;
  /** Called when the socket has taken the frames, or fails to. */
  readonly taken?: (error?: Error | null) => void;
}

/** The waiting output of one connection. */
interface Waiting extends SendQueueDeps {
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

const nothing = Buffer.alloc(0);
const gone = new Error("The connection is gone.");

/** Maximum bytes to copy several pieces into one, which costs less than several writes. */
const copiedBytes = 64 * 1024;

/** Joins the queue into one piece if it is small. */
function merge(waiting: Waiting): void {
  const { queue, queued } = waiting;
  if (queue.length < 2 || queued > copiedBytes) return;
  const frames = Buffer.concat(
    queue.map((piece) => piece.frames),
    queued,
  );
  const taken: Piece["taken"] = (error) => {
    for (const piece of queue) piece.taken?.(error);
  };
  waiting.queue = [{ frames, taken }];
}

/** Passes frames to the socket in one write, as many as it takes without buffering much itself. */
function pass(waiting: Waiting, force: boolean): void {
  merge(waiting);
  const { socket, queue } = waiting;
  const several = queue.length > 1;
  if (several) socket.cork();
  let passed = 0;
  for (const { frames, taken } of queue) {
    if (socket.writableNeedDrain && !force) break;
    socket.write(frames, taken);
    waiting.queued -= frames.length;
    passed += 1;
  }
  if (several) socket.uncork();
  waiting.queue = passed === queue.length ? [] : queue.slice(passed);
  waiting.left = waiting.queued;
}

const bytesOf = (waiting: Waiting): number => (waiting.shut ? 0 : waiting.queued + waiting.socket.writableLength);

/** Drops the queue and accepts no more. */
function empty(waiting: Waiting): void {
  waiting.shut = true;
  for (const { taken } of waiting.queue) taken?.(gone);
  waiting.queue = [];
  waiting.queued = 0;
  waiting.left = 0;
}

/** Sums the waiting bytes over the connections that have any. */
function createLedger(limit: number) {
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
function createSchedule(run: (waiting: Waiting) => void): (waiting: Waiting) => void {
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

/** Writes the queues of the connections of one server. */
function createWriters(limits: SendQueueLimits) {
  const ledger = createLedger(limits.all);
  const shut = (waiting: Waiting): void => {
    empty(waiting);
    ledger.count(waiting);
  };
  const flush = (waiting: Waiting): void => {
    if (waiting.queue.length === 0) return;
    if (!waiting.isOpen()) return shut(waiting);
    pass(waiting, false);
    ledger.settle(waiting);
  };
  const schedule = createSchedule((waiting) => {
    // SendQueues of this tick had no chance to leave, so it does not make a connection slow.
    if (!waiting.shut && waiting.left + waiting.socket.writableLength > limits.each) waiting.overflow();
    else flush(waiting);
  });
  const put = (waiting: Waiting, piece: Piece): void => {
    waiting.queue.push(piece);
    waiting.queued += piece.frames.length;
    schedule(waiting);
  };
  return { shut, flush, put };
}

type Writers = ReturnType<typeof createWriters>;

const nothingWaits = ({ socket, isOpen, overflow }: SendQueueDeps): Waiting => ({
  socket,
  isOpen,
  overflow,
  queue: [],
  queued: 0,
  left: 0,
  counted: 0,
  scheduled: false,
  shut: false,
});

/** Resolves with true when the socket has taken the whole queue, or with false if the connection ends first. */
const createFlushed = (waiting: Waiting, put: Writers["put"]) => () =>
  new Promise<boolean>((resolve) => {
    if (waiting.shut) resolve(false);
    else put(waiting, { frames: nothing, taken: (error) => resolve(error === undefined || error === null) });
  });

function createSendQueue({ shut, flush, put }: Writers, waiting: Waiting): SendQueue {
  return {
    write(buffers) {
      if (waiting.shut) return;
      for (const frames of buffers) put(waiting, { frames });
    },
    flushed: createFlushed(waiting, put),
    drained: () => flush(waiting),
    finish() {
      if (!waiting.shut && waiting.isOpen()) pass(waiting, true);
      shut(waiting);
    },
    drop: () => shut(waiting),
  };
}

/** The send queues of all connections of one server. */
export function createSendQueues(limits: SendQueueLimits): SendQueues {
  const writers = createWriters(limits);
  return { open: (deps) => createSendQueue(writers, nothingWaits(deps)) };
}
