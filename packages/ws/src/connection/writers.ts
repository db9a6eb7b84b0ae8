import { type Piece, type Waiting, createLedger, createSchedule } from "./ledger.ts";

/** Bounds of {@link SendQueues}, in bytes. */
export interface SendQueueLimits {
  /** Maximum bytes that wait for one connection before the next write. */
  readonly each: number;
  /** Maximum bytes that wait for all connections. Beyond it, the fullest ones overflow. */
  readonly all: number;
}

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
export function pass(waiting: Waiting, force: boolean): void {
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

/** Drops the queue and accepts no more. */
function empty(waiting: Waiting): void {
  waiting.shut = true;
  for (const { taken } of waiting.queue) taken?.(gone);
  waiting.queue = [];
  waiting.queued = 0;
  waiting.left = 0;
}

/** Writes the queues of the connections of one server. */
export function createWriters(limits: SendQueueLimits) {
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
    // Output of this tick had no chance to leave, so it does not make a connection slow.
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

export type Writers = ReturnType<typeof createWriters>;
