import type { SendQueueDeps, Waiting } from "./ledger.ts";
import { type SendQueueLimits, pass, createWriters, type Writers } from "./writers.ts";

/** The frames that wait for the socket of one connection. Writers never wait. */
export interface SendQueue {
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

/** The send queues of all connections. */
export interface SendQueues {
  open(deps: SendQueueDeps): SendQueue;
}

const nothing = Buffer.alloc(0);

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

const createSendQueue = ({ shut, flush, put }: Writers, waiting: Waiting): SendQueue => ({
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
});

/** The send queues of all connections of one server. */
export function createSendQueues(limits: SendQueueLimits): SendQueues {
  const writers = createWriters(limits);
  return { open: (deps) => createSendQueue(writers, nothingWaits(deps)) };
}
