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

function readFrame(text: unknown): Frame | null {
  try {
    const value: unknown = typeof text === "string" ? JSON.parse(text) : null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the frames of the service are as its interface says
    return typeof value === "object" && value !== null && "type" in value ? (value as Frame) : null;
  } catch {
    return null;
  }
}

/** The close code for a token that is not valid, or not any more. */
const tokenEnded = 4401;

const loginFailed = (): SocketError => new SocketError("ended", tokenEnded, "The token is not valid, or not any more.");

/** A refusal is an answer. */
const passRefusal = (cause: unknown): void => {
  if (!(cause instanceof SocketError && cause.kind === "refused")) throw cause;
};

/** Connects to a channel. */
export function createConnection(options: ConnectionOptions): RawConnection {
  const { channel, event, heard } = options;
  const { address, protocols } = addressOf(options);
  const socket = (options.connect ?? connectGlobal)(address, protocols);
  const { events, pieces } = channelFrames[channel];
  const calls = createCalls(Object.values(pieces));
  let over: SocketError | null = null;
  let end = (_cause: SocketError): void => {};
  const ended = new Promise<SocketError>((resolve) => (end = resolve));
  const types: readonly string[] = Object.values(events);
  let isOpen = false;
  /** What the service said of the connection: why it is going to close it. */
  let words: string | undefined;

  const abandon = (cause: SocketError): void => {
    if (over !== null) return;
    over = cause;
    end(cause);
    calls.end(cause);
    socket.close();
  };
  const receive = (frame: Frame): void => {
    if (frame.type === "LoginFail") abandon(loginFailed());
    else if (calls.take(frame)) return;
    else if (types.includes(frame.type)) event(frame);
    else if (frame.code !== 200) words = frame.msg;
  };
  const call: RawCall = (command, input, piece = () => {}) =>
    new Promise((resolve, reject) => {
      if (over !== null) return reject(endOf(over, false));
      if (!isOpen) return reject(new SocketError("ended", 1006, "The connection is not open yet."));
      const identifier = calls.add({ resolve, reject, piece });
      socket.send(JSON.stringify({ ...input, identifier, command }));
    });
  const opened = new Promise<void>((resolve, reject) => {
    socket.addEventListener("open", () => {
      isOpen = true;
      resolve();
    });
    void ended.then(reject);
  });
  opened.catch(() => {});
  socket.addEventListener("error", () => {});
  socket.addEventListener("close", ({ code = 1006 }) =>
    abandon(new SocketError("ended", code, words ?? `The connection ended with ${code}.`)),
  );
  socket.addEventListener("message", ({ data }) => {
    const frame = over === null ? readFrame(data) : null;
    if (frame === null) return;
    heard?.();
    receive(frame);
  });
  return {
    opened,
    ended,
    waiting: () => calls.size,
    call,
    ping: async () => void (await call(pingCommand, {}).catch(passRefusal)),
    close: () => socket.close(),
    abandon,
  };
}
