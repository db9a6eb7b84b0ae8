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

interface Lane extends OutboxOptions {
  /** What the socket has not been given, in order. */
  queue: Piece[];
  /** Bytes in the queue. */
  queued: number;
  /** Bytes of the queue that the socket did not take when it was last asked. */
  left: number;
  /** Bytes that waited when this lane was last looked at. */
  counted: number;
  scheduled: boolean;
  shut: boolean;
}

const nothing = Buffer.alloc(0);
const gone = new Error("The connection is gone.");

/** Bytes up to which several pieces are copied into one: that costs less than a write of several. */
const copiedBytes = 64 * 1024;

/** Makes one piece of what waits, where that is little. */
function merge(lane: Lane): void {
  const { queue, queued } = lane;
  if (queue.length < 2 || queued > copiedBytes) return;
  const frames = Buffer.concat(
    queue.map((piece) => piece.frames),
    queued,
  );
  const taken: Piece["taken"] = (error) => {
    for (const piece of queue) piece.taken?.(error);
  };
  lane.queue = [{ frames, taken }];
}

/** Gives the socket what it takes without having to keep much itself, in one write. */
function pass(lane: Lane, force: boolean): void {
  merge(lane);
  const { socket, queue } = lane;
  const several = queue.length > 1;
  if (several) socket.cork();
  let given = 0;
  for (const { frames, taken } of queue) {
    if (socket.writableNeedDrain && !force) break;
    socket.write(frames, taken);
    lane.queued -= frames.length;
    given += 1;
  }
  if (several) socket.uncork();
  lane.queue = given === queue.length ? [] : queue.slice(given);
  lane.left = lane.queued;
}

const waitingOf = (lane: Lane): number => (lane.shut ? 0 : lane.queued + lane.socket.writableLength);

/** Forgets what waits; nothing more is taken. */
function empty(lane: Lane): void {
  lane.shut = true;
  for (const { taken } of lane.queue) taken?.(gone);
  lane.queue = [];
  lane.queued = 0;
  lane.left = 0;
}

/** Keeps the sum of what waits, over the lanes on which something does. */
function createLedger(limit: number) {
  const lagging = new Set<Lane>();
  let total = 0;
  const count = (lane: Lane): void => {
    const waiting = waitingOf(lane);
    total += waiting - lane.counted;
    lane.counted = waiting;
    if (waiting === 0) lagging.delete(lane);
    else lagging.add(lane);
  };
  const relieve = (): void => {
    // A socket does not tell of every byte that it got rid of: look again before anybody is closed for it.
    for (const lane of lagging) count(lane);
    for (const lane of [...lagging].toSorted((a, b) => b.counted - a.counted)) {
      if (total > limit) lane.overflow();
    }
  };
  return {
    count,
    /** Like `count`; closes the fullest while too much waits. */
    settle(lane: Lane): void {
      count(lane);
      if (total > limit) relieve();
    },
  };
}

/** Does something once for each lane that asked for it, at the end of the tick. */
function createSchedule(run: (lane: Lane) => void): (lane: Lane) => void {
  let due: Lane[] = [];
  const runDue = (): void => {
    const lanes = due;
    due = [];
    for (const lane of lanes) {
      lane.scheduled = false;
      run(lane);
    }
  };
  return (lane) => {
    if (lane.scheduled) return;
    lane.scheduled = true;
    if (due.push(lane) === 1) atEndOfTick(runDue);
  };
}

/** What happens to the lanes of one server. */
function createTraffic(limits: OutputLimits) {
  const ledger = createLedger(limits.all);
  const shut = (lane: Lane): void => {
    empty(lane);
    ledger.count(lane);
  };
  const flush = (lane: Lane): void => {
    if (lane.shut || lane.queue.length === 0) return;
    if (!lane.isOpen()) {
      shut(lane);
      return;
    }
    pass(lane, false);
    ledger.settle(lane);
  };
  const schedule = createSchedule((lane) => {
    // What this tick has added had no chance to leave yet: it does not make a connection slow.
    if (!lane.shut && lane.left + lane.socket.writableLength > limits.each) lane.overflow();
    else flush(lane);
  });
  const put = (lane: Lane, piece: Piece): void => {
    lane.queue.push(piece);
    lane.queued += piece.frames.length;
    schedule(lane);
  };
  return { shut, flush, put };
}

/** The output of all connections of one server. */
export function createOutput(limits: OutputLimits): Output {
  const { shut, flush, put } = createTraffic(limits);
  return {
    open(options) {
      const lane: Lane = { ...options, queue: [], queued: 0, left: 0, counted: 0, scheduled: false, shut: false };
      return {
        write(buffers) {
          if (lane.shut) return;
          for (const frames of buffers) put(lane, { frames });
        },
        flushed: () =>
          new Promise((resolve) => {
            if (lane.shut) resolve(false);
            else put(lane, { frames: nothing, taken: (error) => resolve(error === undefined || error === null) });
          }),
        drained: () => flush(lane),
        finish() {
          if (!lane.shut && lane.isOpen()) pass(lane, true);
          shut(lane);
        },
        drop: () => shut(lane),
      };
    },
  };
}
