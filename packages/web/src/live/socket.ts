/** One frame that the server sends. */
export interface Frame {
  readonly type: string;
  readonly identifier?: unknown;
  readonly data?: unknown;
  /** What went wrong, in the server's words. */
  readonly msg?: unknown;
}

/** What a connection tells. */
export interface SocketListener {
  /** The server knows who this is, and tells from now on what happens. */
  readonly ready: () => void;
  readonly receive: (frame: Frame) => void;
  /** The connection is gone, once. `ended`: because the token is not valid, or not any more. */
  readonly gone: (ended: boolean) => void;
}

/** An open or opening connection. */
export interface Socket {
  /** Asks for a sign of life; without one in time the connection is given up. */
  readonly probe: () => void;
  readonly close: () => void;
}

/** What is used of a WebSocket of the browser. */
export type Wire = Pick<WebSocket, "send" | "close" | "addEventListener">;

/** Milliseconds for connecting, and for a sign of life. */
const patience = 10_000;
/** The close code for a token that is not valid. */
const tokenEnded = 4401;

function readFrame(data: unknown): Frame | null {
  if (typeof data !== "string") return null;
  const frame: unknown = JSON.parse(data);
  return typeof frame === "object" && frame !== null && "type" in frame && typeof frame.type === "string"
    ? { ...frame, type: frame.type }
    : null;
}

/**
 * Wraps a WebSocket. A connection is `ready` when a first command was answered, whatever the answer: the server answers
 * commands only after it knows the token and has begun to tell. The same question finds a connection that died unseen:
 * pages cannot see the pings of the protocol.
 */
export function openSocket(wire: Wire, listener: SocketListener): Socket {
  let over = false;
  let asked = 0;
  let answered = 0;
  let timer = setTimeout(() => end(false), patience);
  const end = (ended: boolean): void => {
    if (over) return;
    over = true;
    clearTimeout(timer);
    wire.close();
    listener.gone(ended);
  };
  const probe = (): void => {
    if (over || asked > answered) return;
    asked += 1;
    clearTimeout(timer);
    timer = setTimeout(() => end(false), patience);
    wire.send(JSON.stringify({ identifier: `life-${asked}`, command: "heartbeat" }));
  };
  const answer = (): void => {
    clearTimeout(timer);
    answered = asked;
    if (asked === 1) listener.ready();
  };
  wire.addEventListener("open", probe);
  wire.addEventListener("close", ({ code }) => end(code === tokenEnded));
  wire.addEventListener("error", () => end(false));
  wire.addEventListener("message", ({ data }) => {
    const frame = over ? null : readFrame(data);
    if (frame === null) return;
    if (frame.type === "LoginFail") end(true);
    else if (frame.identifier === `life-${asked}`) answer();
    else listener.receive(frame);
  });
  return { probe, close: () => end(false) };
}
