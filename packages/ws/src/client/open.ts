import { type ChannelName, channelTable } from "../channels/table.ts";
import type { ChannelEvent, ChannelQuery, CommandInput, CommandName, CommandOutput, CommandPiece } from "./types.ts";

/** What is used of a WebSocket. */
export type ClientSocket = Pick<WebSocket, "send" | "close" | "addEventListener">;

/** Where a connection goes. */
export interface OpenOptions<N extends ChannelName> {
  /** The address of the service, such as `https://telex.example`, with its base path where it has one. */
  readonly url: string;
  /** Sent as a subprotocol, so that no address holds it. */
  readonly token: string;
  readonly channel: N;
  readonly query?: ChannelQuery<N>;
  /** Called for each frame that comes by itself, in order. */
  readonly onEvent?: (event: ChannelEvent<N>) => void;
  /** Makes the WebSocket. Default: the global `WebSocket`. */
  readonly connect?: (address: string, protocols: string[]) => ClientSocket;
}

/** Why a call or a connection failed. */
export class SocketError extends Error {
  override readonly name = "SocketError";
  /**
   * `refused`: the service answered that the command failed. `ended`: the connection ended before the result came; nobody
   * knows whether the command was done.
   */
  readonly kind: "refused" | "ended";
  /** The code of the frame (`refused`), or the close code (`ended`). */
  readonly code: number;

  constructor(kind: "refused" | "ended", code: number, message: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

/** An open connection to one channel. */
export interface ClientConnection<N extends ChannelName> {
  /**
   * Sends a command and returns the `data` of its result. The service runs the commands of a connection in order.
   * @param onPiece called for each frame that comes before the result
   * @throws SocketError `refused` with the sentence of the service, `ended` if the connection ends first
   */
  call<C extends CommandName<N>>(
    command: C,
    input: CommandInput<N, C>,
    onPiece?: (piece: CommandPiece<N, C>) => void,
  ): Promise<CommandOutput<N, C>>;
  close(): void;
  /** Resolves when the connection has ended, whichever side ended it. */
  readonly ended: Promise<SocketError>;
}

/** The close code for a token that is not valid, or not any more. */
const tokenEnded = 4401;

interface Frame {
  readonly type: string;
  readonly code: number;
  readonly identifier?: unknown;
  readonly data?: unknown;
  readonly msg?: string;
}

function readFrame(text: unknown): Frame | null {
  const value: unknown = typeof text === "string" ? JSON.parse(text) : null;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the frames of the service are as its interface says
  return typeof value === "object" && value !== null && "type" in value ? (value as Frame) : null;
}

function addressOf({ url, channel, query = {} }: Pick<OpenOptions<ChannelName>, "url" | "channel" | "query">): string {
  const fields = new URLSearchParams(Object.entries(query));
  const text = fields.size === 0 ? "" : `?${fields.toString()}`;
  return `${url.replace(/\/+$/, "").replace(/^http/, "ws")}${channelTable[channel].path}${text}`;
}

/** A call that waits for its result. */
interface Pending {
  readonly result: string;
  readonly resolve: (data: unknown) => void;
  readonly reject: (cause: SocketError) => void;
  readonly piece: (frame: Frame) => void;
}

function settle({ result, resolve, reject, piece }: Pending, frame: Frame): boolean {
  if (frame.code !== 200) reject(new SocketError("refused", frame.code, frame.msg ?? "The command failed."));
  else if (frame.type === result) resolve(frame.data);
  else {
    piece(frame);
    return false;
  }
  return true;
}

/** The calls of one connection, and what they wait for. */
function createCalls() {
  const pending = new Map<string, Pending>();
  let count = 0;
  return {
    add(call: Pending): string {
      count += 1;
      pending.set(String(count), call);
      return String(count);
    },
    /** False for a frame that belongs to no call. */
    take(frame: Frame): boolean {
      const key = typeof frame.identifier === "string" ? frame.identifier : "";
      const call = pending.get(key);
      if (call !== undefined && settle(call, frame)) pending.delete(key);
      return call !== undefined;
    },
    end(cause: SocketError): void {
      for (const { reject } of pending.values()) reject(cause);
      pending.clear();
    },
  };
}

const resultOf = (channel: ChannelName, command: string): string => {
  const rows: Readonly<Record<string, { readonly name: string; readonly result: string } | null>> =
    channelTable[channel].commands;
  return Object.values(rows).find((row) => row?.name === command)?.result ?? "";
};

/**
 * Opens a connection to a channel. It is not opened again when it ends: open another one, for rooms with `since`.
 * @throws SocketError `ended` if the service cannot be reached
 * @example
 * const rooms = await openChannel({ url: "https://telex.example", token, channel: "rooms" });
 * await rooms.call("sendGroupMessage", { groupId: 1, groupType: 1, message: "Hello." });
 */
export async function openChannel<N extends ChannelName>(options: OpenOptions<N>): Promise<ClientConnection<N>> {
  const { channel, token, onEvent } = options;
  const connect = options.connect ?? ((address, protocols) => new WebSocket(address, protocols));
  const socket = connect(addressOf(options), ["telex", `bearer.${token}`]);
  const calls = createCalls();
  const { promise: ended, resolve } = Promise.withResolvers<SocketError>();
  const end = (code: number, message: string): void => {
    const cause = new SocketError("ended", code, message);
    resolve(cause);
    calls.end(cause);
  };
  socket.addEventListener("close", ({ code }) => end(code, `The connection ended with ${code}.`));
  socket.addEventListener("message", ({ data }) => {
    const frame = readFrame(data);
    if (frame?.type === "LoginFail") {
      end(tokenEnded, "The token is not valid, or not any more.");
      socket.close();
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the events of the service are as its interface says
    } else if (frame !== null && !calls.take(frame)) onEvent?.(frame as unknown as ChannelEvent<N>);
  });
  const opened = new Promise<null>((open) => socket.addEventListener("open", () => open(null)));
  const failure = await Promise.race([opened, ended]);
  if (failure !== null) throw failure;
  let over: SocketError | null = null;
  void ended.then((cause) => (over = cause));
  return {
    ended,
    close: () => socket.close(),
    call: <C extends CommandName<N>>(
      command: C,
      input: CommandInput<N, C>,
      onPiece?: (piece: CommandPiece<N, C>) => void,
    ) =>
      new Promise<CommandOutput<N, C>>((done, reject) => {
        if (over !== null) return reject(over);
        const identifier = calls.add({
          result: resultOf(channel, command),
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the results of the service are as its interface says
          resolve: (data) => done(data as CommandOutput<N, C>),
          reject,
          // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same
          piece: (frame) => onPiece?.(frame as unknown as CommandPiece<N, C>),
        });
        socket.send(JSON.stringify({ ...input, identifier, command }));
      }),
  };
}
