import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Requests of one connection that begin in a tick. A client that waits for its responses never has as many. */
const perTick = 8;
/** Connections with more requests whose turn comes in each tick. */
const connectionsPerTick = 4;
/** Requests of one connection that wait for their turn. After them it is closed: a client may send the others again (RFC 9112 9.3.2). */
const mostWaiting = 100;

interface Waiting {
  readonly res: ServerResponse;
  readonly begin: () => void;
}

/** The requests of a connection. */
class Line {
  #begun = 0;
  #tick = -1;
  #waiting: Waiting[] = [];
  #isFull = false;
  readonly #socket: Socket;

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  /** True if the request may begin in this tick. */
  mayBegin(tick: number): boolean {
    if (this.#tick !== tick) [this.#tick, this.#begun] = [tick, 0];
    this.#begun += 1;
    return this.#waiting.length === 0 && this.#begun <= perTick && !this.#isFull;
  }

  wait(one: Waiting): void {
    const last = this.#waiting[mostWaiting - 1];
    if (last !== undefined && !this.#isFull) this.#close(last);
    if (!this.#isFull) this.#waiting.push(one);
  }

  /** Lets the connection end with a response. Nothing more is read: Node would go on whenever it is done with an earlier request. */
  #close({ res }: Waiting): void {
    this.#isFull = true;
    res.shouldKeepAlive = false;
    this.#socket.on("resume", () => void this.#socket.pause()).pause();
  }

  /** Begins the next requests. False if none are left. */
  next(): boolean {
    if (this.#socket.destroyed) this.#waiting.length = 0;
    for (const { begin } of this.#waiting.splice(0, perTick)) begin();
    return this.#waiting.length > 0;
  }

  beginAll(): void {
    for (const { begin } of this.#waiting.splice(0)) begin();
  }
}

/** The turns of a server. */
interface Turns {
  /** Begins a request now, or when its turn comes. */
  readonly take: (res: ServerResponse, begin: () => void) => void;
  /** Begins the requests before the one with which a connection changes its protocol. */
  readonly end: (socket: Socket) => void;
}

/** Calls `next` once in this tick, after what is ready now. */
function createSchedule(next: () => void): () => void {
  let isScheduled = false;
  const run = (): void => {
    isScheduled = false;
    next();
  };
  return () => {
    if (!isScheduled) setImmediate(run);
    isScheduled = true;
  };
}

function createLines() {
  const lines = new WeakMap<Socket, Line>();
  return {
    end: (socket: Socket): void => lines.get(socket)?.beginAll(),
    of(socket: Socket): Line {
      const existing = lines.get(socket);
      if (existing !== undefined) return existing;
      const line = new Line(socket);
      lines.set(socket, line);
      return line;
    },
  };
}

/**
 * Lets connections take turns that send requests without waiting for the responses: one read of a socket can have thousands of small
 * requests, and nobody else would be served while all of them begin.
 */
export function createTurns(): Turns {
  const lines = createLines();
  const waiting = new Set<Line>();
  let tick = 0;
  const schedule = createSchedule(() => {
    tick += 1;
    for (const line of waiting.values().take(connectionsPerTick).toArray()) {
      waiting.delete(line);
      if (line.next()) waiting.add(line);
    }
    if (waiting.size > 0) schedule();
  });
  return {
    end: lines.end,
    take(res, begin) {
      schedule();
      const line = lines.of(res.req.socket);
      if (line.mayBegin(tick)) return begin();
      line.wait({ res, begin });
      waiting.add(line);
    },
  };
}
