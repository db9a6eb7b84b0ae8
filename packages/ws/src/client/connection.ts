import { type ChannelName, channelTable, closeCodes } from "../channels/table.ts";
import { addressOf, type AddressParts } from "./address.ts";
import { createCalls, type Frame } from "./calls.ts";
import { endOf, SocketError } from "./errors.ts";

/** What is used of a WebSocket. Those of browsers, of Node and of the package `ws` have it. */
export interface ClientSocket {
  send(data: string): void;
  close(): void;
  addEventListener(type: "open" | "error", listener: () => void): void;
  addEventListener(type: "message", listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: "close", listener: (event: { readonly code: number }) => void): void;
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

const eventTypes = (channel: ChannelName): readonly string[] => Object.values(channelTable[channel].events);

const resultOf = (channel: ChannelName, command: string): string => {
  const rows: Readonly<Record<string, { readonly name: string; readonly result: string } | null>> =
    channelTable[channel].commands;
  return Object.values(rows).find((row) => row?.name === command)?.result ?? "";
};

const loginFailed = (): SocketError =>
  new SocketError("ended", closeCodes.token_ended.code, "The token is not valid, or not any more.");

/** How a connection ends, once. */
function createEnd() {
  let over: SocketError | null = null;
  let resolve = (_cause: SocketError): void => {};
  const ended = new Promise<SocketError>((settle) => (resolve = settle));
  const end = (cause: SocketError): boolean => {
    if (over !== null) return false;
    over = cause;
    resolve(cause);
    return true;
  };
  return { ended, end, over: (): SocketError | null => over };
}

/** Connects to a channel. */
export function createConnection(options: ConnectionOptions): RawConnection {
  const { channel, event, heard } = options;
  const { address, protocols } = addressOf(options);
  const socket = (options.connect ?? connectGlobal)(address, protocols);
  const calls = createCalls();
  const { ended, over, end } = createEnd();
  const types = eventTypes(channel);
  let isOpen = false;
  /** What the service said of the connection: why it is going to close it. */
  let words: string | undefined;

  const abandon = (cause: SocketError): void => {
    if (!end(cause)) return;
    calls.end(cause);
    socket.close();
  };
  const receive = (frame: Frame): void => {
    if (frame.type === "LoginFail") abandon(loginFailed());
    else if (calls.take(frame)) return;
    else if (types.includes(frame.type)) event(frame);
    else if (frame.code !== 200) words = frame.msg;
  };
  const send = (command: string, input: object, result: string | null, piece: (frame: Frame) => void = () => {}) =>
    new Promise<unknown>((resolve, reject) => {
      const cause = over();
      if (cause !== null) return reject(endOf(cause, false));
      if (!isOpen) return reject(new SocketError("ended", 1006, "The connection is not open yet."));
      const identifier = calls.add({ result, resolve, reject, piece });
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
  socket.addEventListener("close", ({ code }) =>
    abandon(new SocketError("ended", code, words ?? `The connection ended with ${code}.`)),
  );
  socket.addEventListener("message", ({ data }) => {
    const frame = over() === null ? readFrame(data) : null;
    if (frame === null) return;
    heard?.();
    receive(frame);
  });
  return {
    opened,
    ended,
    waiting: () => calls.size,
    call: (command, input, piece) => send(command, input, resultOf(channel, command), piece),
    ping: async () => void (await send(pingCommand, {}, null)),
    close: () => socket.close(),
    abandon,
  };
}
