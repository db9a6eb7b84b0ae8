import { channelFrames } from "../channels/frames.ts";
import { addressOf, type AddressParts } from "./address.ts";
import type { ChannelName } from "../channels/table.ts";
import { createCalls } from "./calls.ts";
import { endOf, SocketError } from "./errors.ts";
import { type EventFrame, type Frame, isEvent, readFrame } from "./frames.ts";
import type { Call } from "./types.ts";
import { loginFailed, notOpen, createCommands } from "./commands.ts";

/** The fields of WebSocket events that the client reads. */
export interface SocketEvent {
  readonly type: string;
  /** Present in a message. */
  readonly data?: unknown;
  /** Present in a close event. */
  readonly code?: number;
}

/** The methods of a WebSocket that the client uses. Those of browsers, of Node and of the package `ws` have them. */
export interface ClientSocket {
  send(data: string): void;
  close(): void;
  addEventListener(type: "open" | "error" | "message" | "close", listener: (event: SocketEvent) => void): void;
}

/** Makes a WebSocket. */
export type Connect = (address: string, protocols: string[]) => ClientSocket;

interface ConnectionOptions<N extends ChannelName> extends AddressParts {
  readonly channel: N;
  readonly connect?: Connect | undefined;
  /** Called for each event of the channel, in order. */
  readonly event: (event: EventFrame<N>) => void;
  /** Called for each frame. */
  readonly heard?: () => void;
}

/** One connection, without a limit on waiting calls. */
export interface Connection<N extends ChannelName> {
  /** Rejects if the connection ends first. */
  readonly opened: Promise<void>;
  readonly ended: Promise<SocketError>;
  /** The number of calls that wait for their result. */
  readonly waiting: () => number;
  readonly call: Call<N>;
  /** Sends a command whose result is not used, on any channel. */
  readonly tell: (command: string, input: object) => Promise<void>;
  readonly ping: () => Promise<void>;
  /** Asks the other side to close. */
  readonly close: () => void;
  /** Ends the connection immediately, even if the other side does not respond. */
  readonly abandon: (cause: SocketError) => void;
}

const connectGlobal: Connect = (address, protocols) => new WebSocket(address, protocols);

/** Ends a connection once. */
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
  // An error ends the connection, with or without a close event.
  socket.addEventListener("error", () => closed(1006));
  socket.addEventListener("close", ({ code = 1006 }) => closed(code));
  socket.addEventListener("message", ({ data }) => {
    const read = readFrame(data);
    if (read !== null) frame(read);
  });
}

interface ReceiverDeps<N extends ChannelName> extends Pick<ConnectionOptions<N>, "channel" | "event"> {
  readonly calls: ReturnType<typeof createCalls>;
  readonly abandon: (cause: SocketError) => void;
}

/** Dispatches incoming frames. */
function createReceiver<N extends ChannelName>({ channel, event, calls, abandon }: ReceiverDeps<N>) {
  /** The service's reason for closing the connection, which it sends before the close frame. */
  let reason: string | undefined;
  return {
    frame(frame: Frame): void {
      if (frame.type === "LoginFail") abandon(loginFailed());
      else if (calls.take(frame)) return;
      else if (isEvent(channel, frame)) event(frame);
      else if (frame.code !== 200) reason = frame.msg;
    },
    closed: (code: number): void =>
      abandon(new SocketError("ended", code, reason ?? `The connection ended with ${code}.`)),
  };
}

/** Connects to a channel. */
export function createConnection<N extends ChannelName>({
  event,
  heard,
  ...options
}: ConnectionOptions<N>): Connection<N> {
  const { channel } = options;
  const { address, protocols } = addressOf(options);
  const socket = (options.connect ?? connectGlobal)(address, protocols);
  const calls = createCalls(Object.values(channelFrames[channel].pieces));
  const { ended, end, over } = createEnd();
  const abandon = (cause: SocketError): void => {
    if (over() !== null) return;
    end(cause);
    calls.end(cause);
    socket.close();
  };
  const receiver = createReceiver({ channel, event, calls, abandon });
  const frame = (received: Frame): void => {
    if (over() !== null) return;
    heard?.();
    receiver.frame(received);
  };
  let isOpen = false;
  const opened = new Promise<void>((resolve, reject) => {
    const open = (): void => {
      isOpen = true;
      resolve();
    };
    listen(socket, { open, frame, closed: receiver.closed });
    void ended.then(reject);
  });
  opened.catch(() => {});
  const commands = createCommands(channel, (command, input, call) => {
    if (!isOpen || over() !== null) return call.reject(endOf(over() ?? notOpen(), false));
    socket.send(JSON.stringify({ ...input, identifier: calls.add(call), command }));
  });
  return { ...commands, opened, ended, waiting: () => calls.size, close: () => socket.close(), abandon };
}
