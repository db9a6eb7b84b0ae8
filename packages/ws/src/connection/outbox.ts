import type { Duplex } from "node:stream";
import { atEndOfTick } from "@telex/core/transport";

/** What an {@link Outbox} needs of a socket. */
type OutboxSocket = Pick<Duplex, "write" | "cork" | "uncork" | "writableLength" | "writableNeedDrain">;

/** What is sent over one connection. A writer never waits. */
interface Outbox {
  /** Puts whole frames on their way. Those of one tick leave in one write. */
  readonly write: (frames: readonly Buffer[]) => void;
  /** Resolves with true when the socket has taken all that was written, with false when it is gone before. */
  readonly flushed: () => Promise<boolean>;
  /** Goes on after the socket has drained. */
  readonly drained: () => void;
  /** Gives the socket all that waits and takes nothing more: a close frame may follow. */
  readonly finish: () => void;
  /** Forgets what waits and takes nothing more. */
  readonly drop: () => void;
}

/** One connection, as its outbox sees it. */
interface OutboxOptions {
  readonly socket: OutboxSocket;
  /** False once a close frame was sent: nothing may follow it. */
  readonly isOpen: () => boolean;
  /** Called when too much waits. It is expected to call {@link Outbox.drop}. */
  readonly overflow: () => void;
}

/** What leaves over all connections. */
export interface Output {
  open(options: OutboxOptions): Outbox;
}

/** Bounds of an {@link Output}, in bytes. */
interface OutputLimits {
  /** That may wait for one connection before the next write. */
  readonly each: number;
  /** That may wait for all together; beyond it, the fullest overflow. */
  readonly all: number;
}

/** Frames that the socket has not been given. */
interface Piece {
  readonly frames: Buffer;
  /** Told when the socket has taken them, or that it will not. */
  readonly taken?: (error?: Error | null) => void;
}

/** What waits for one connection. */
interface Waiting extends OutboxOptions {
  /** What the socket has not been given, in order. */
  queue: Piece[];
  /** Bytes in the queue. */
  queued: number;
  /** Bytes of the queue that the socket did not take when it was last asked. */
  left: number;
  /** Bytes that waited when this connection was last counted. */
  counted: number;
  scheduled: boolean;
  shut: boolean;
}

const nothing = Buffer.alloc(0);
const gone = new Error("The connection is gone.");

/** Bytes up to which several pieces are copied into one: that costs less than a write of several. */
const copiedBytes = 64 * 1024;

/** Makes one piece of what waits, where that is little. */
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

/** Gives the socket what it takes without having to keep much itself, in one write. */
function pass(waiting: Waiting, force: boolean): void {
  merge(waiting);
  const { socket, queue } = waiting;
  const several = queue.length > 1;
  if (several) socket.cork();
  let given = 0;
  for (const { frames, taken } of queue) {
    if (socket.writableNeedDrain && !force) break;
    socket.write(frames, taken);
    waiting.queued -= frames.length;
    given += 1;
  }
  if (several) socket.uncork();
  waiting.queue = given === queue.length ? [] : queue.slice(given);
  waiting.left = waiting.queued;
}

const bytesOf = (waiting: Waiting): number => (waiting.shut ? 0 : waiting.queued + waiting.socket.writableLength);

/** Forgets what waits; nothing more is taken. */
function empty(waiting: Waiting): void {
  waiting.shut = true;
  for (const { taken } of waiting.queue) taken?.(gone);
  waiting.queue = [];
  waiting.queued = 0;
  waiting.left = 0;
}

/** Keeps the sum of what waits, over the connections for which something does. */
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
    // A socket does not tell of every byte that it got rid of: look again before anybody is closed for it.
    for (const waiting of lagging) count(waiting);
    for (const waiting of [...lagging].toSorted((a, b) => b.counted - a.counted)) {
      if (total > limit) waiting.overflow();
    }
  };
  return {
    count,
    /** Like `count`; closes the fullest while too much waits. */
    settle(waiting: Waiting): void {
      count(waiting);
      if (total > limit) relieve();
    },
  };
}

/** Does something once for each connection that asked for it, at the end of the tick. */
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

/** Writes what waits for the connections of one server. */
function createWriters(limits: OutputLimits) {
  const ledger = createLedger(limits.all);
  const shut = (waiting: Waiting): void => {
    empty(waiting);
    ledger.count(waiting);
  };
  const flush = (waiting: Waiting): void => {
    if (waiting.shut || waiting.queue.length === 0) return;
    if (!waiting.isOpen()) return shut(waiting);
    pass(waiting, false);
    ledger.settle(waiting);
  };
  const schedule = createSchedule((waiting) => {
    // What this tick has added had no chance to leave yet: it does not make a connection slow.
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

const nothingWaits = (options: OutboxOptions): Waiting => ({
  ...options,
  queue: [],
  queued: 0,
  left: 0,
  counted: 0,
  scheduled: false,
  shut: false,
});

/** Resolves with true when the socket has taken all that waits, with false when it is gone before. */
const createFlushed = (waiting: Waiting, put: Writers["put"]) => () =>
  new Promise<boolean>((resolve) => {
    if (waiting.shut) resolve(false);
    else put(waiting, { frames: nothing, taken: (error) => resolve(error === undefined || error === null) });
  });

function createOutbox({ shut, flush, put }: Writers, waiting: Waiting): Outbox {
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

/** The output of all connections of one server. */
export function createOutput(limits: OutputLimits): Output {
  const writers = createWriters(limits);
  return { open: (options) => createOutbox(writers, nothingWaits(options)) };
}
