import { channelFrames } from "../channels/frames.ts";
import { addressOf, type AddressParts } from "./address.ts";
import { createCalls, type Frame } from "./calls.ts";
import { endOf, SocketError } from "./errors.ts";

/** What is used of an event of a WebSocket. */
export interface SocketEvent {
  readonly type: string;
  /** Of a message. */
  readonly data?: unknown;
  /** Of a close. */
  readonly code?: number;
}

/** What is used of a WebSocket. Those of browsers, of Node and of the package `ws` have it. */
export interface ClientSocket {
  send(data: string): void;
  close(): void;
  addEventListener(type: "open" | "error" | "message" | "close", listener: (event: SocketEvent) => void): void;
}

/** Makes a WebSocket. */
export type Connect = (address: string, protocols: string[]) => ClientSocket;

/** What {@link createConnection} needs. */
export interface ConnectionOptions extends AddressParts {
  readonly connect?: Connect | undefined;
  /** Called for each event of the channel, in order. */
  readonly event: (frame: Frame) => void;
  /** Called for each frame. */
  readonly heard?: () => void;
}

/** Sends a command, and resolves with the `data` of its result. */
export type RawCall = (command: string, input: object, piece?: (frame: Frame) => void) => Promise<unknown>;

/** One connection, before its commands and events get their types. */
export interface RawConnection {
  /** Rejects if it ends first. */
  readonly opened: Promise<void>;
  readonly ended: Promise<SocketError>;
  /** Calls that wait for their result. */
  readonly waiting: () => number;
  readonly call: RawCall;
  readonly ping: () => Promise<void>;
  /** Asks the other side to close. */
  readonly close: () => void;
  /** Ends it now, whether the other side still answers or not. */
  readonly abandon: (cause: SocketError) => void;
}

const connectGlobal: Connect = (address, protocols) => new WebSocket(address, protocols);

/** Answered on every channel: it is a command of devices, and refused elsewhere. */
const pingCommand = "heartbeat";

function isFrame(value: unknown): value is Frame {
  if (typeof value !== "object" || value === null) return false;
  const { type, code, msg }: Readonly<Partial<Record<keyof Frame, unknown>>> = value;
  return typeof type === "string" && typeof code === "number" && (msg === undefined || typeof msg === "string");
}

function readFrame(text: unknown): Frame | null {
  try {
    const value: unknown = typeof text === "string" ? JSON.parse(text) : null;
    return isFrame(value) ? value : null;
  } catch {
    return null;
  }
}

/** The close code for a token that is not valid, or not any more. */
const tokenEnded = 4401;

const loginFailed = (): SocketError => new SocketError("ended", tokenEnded, "The token is not valid, or not any more.");

const notOpen = (): SocketError => new SocketError("ended", 1006, "The connection is not open yet.");

/** A refusal is an answer. */
const passRefusal = (cause: unknown): void => {
  if (!(cause instanceof SocketError && cause.kind === "refused")) throw cause;
};

/** How a connection ends: once. */
function createEnd() {
  let over: SocketError | null = null;
  let settle = (_cause: SocketError): void => {};
  const ended = new Promise<SocketError>((resolve) => (settle = resolve));
  const end = (cause: SocketError): void => {
    over = cause;
    settle(cause);
  };
  return { ended, end, over: (): SocketError | null => over };
}

interface Listener {
  readonly open: () => void;
  readonly frame: (frame: Frame) => void;
  readonly closed: (code: number) => void;
}

function listen(socket: ClientSocket, { open, frame, closed }: Listener): void {
  socket.addEventListener("open", open);
  socket.addEventListener("error", () => {});
  socket.addEventListener("close", ({ code = 1006 }) => closed(code));
  socket.addEventListener("message", ({ data }) => {
    const read = readFrame(data);
    if (read !== null) frame(read);
  });
}

/** Connects to a channel. */
export function createConnection({ event, heard, ...options }: ConnectionOptions): RawConnection {
  const { address, protocols } = addressOf(options);
  const socket = (options.connect ?? connectGlobal)(address, protocols);
  const { events, pieces } = channelFrames[options.channel];
  const types: readonly string[] = Object.values(events);
  const calls = createCalls(Object.values(pieces));
  const { ended, end, over } = createEnd();
  let isOpen = false;
  /** What the service said of the connection: why it is going to close it. */
  let words: string | undefined;

  const abandon = (cause: SocketError): void => {
    if (over() !== null) return;
    end(cause);
    calls.end(cause);
    socket.close();
  };
  const receive = (frame: Frame): void => {
    if (over() !== null) return;
    heard?.();
    if (frame.type === "LoginFail") abandon(loginFailed());
    else if (calls.take(frame)) return;
    else if (types.includes(frame.type)) event(frame);
    else if (frame.code !== 200) words = frame.msg;
  };
  const call: RawCall = (command, input, piece = () => {}) =>
    new Promise((resolve, reject) => {
      if (!isOpen || over() !== null) return reject(endOf(over() ?? notOpen(), false));
      const identifier = calls.add({ resolve, reject, piece });
      socket.send(JSON.stringify({ ...input, identifier, command }));
    });
  const opened = new Promise<void>((resolve, reject) => {
    const open = (): void => {
      isOpen = true;
      resolve();
    };
    const closed = (code: number): void =>
      abandon(new SocketError("ended", code, words ?? `The connection ended with ${code}.`));
    listen(socket, { open, frame: receive, closed });
    void ended.then(reject);
  });
  opened.catch(() => {});
  const ping = async (): Promise<void> => void (await call(pingCommand, {}).catch(passRefusal));
  return { opened, ended, waiting: () => calls.size, call, ping, close: () => socket.close(), abandon };
}
