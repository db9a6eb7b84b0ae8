import type { ChannelName } from "../channels/table.ts";
import { type Connect, type Connection, createConnection } from "./connection.ts";
import { busy, type SocketError } from "./errors.ts";
import type { Call, ChannelEvent, ChannelQuery } from "./types.ts";

/** Options of {@link openChannel}. */
export interface OpenOptions<N extends ChannelName> {
  /** The address of the service, such as `https://telex.example`, with its base path if it has one. */
  readonly url: string;
  /**
   * Sent as a subprotocol to keep it out of the address, or in the address if its characters are not allowed in a subprotocol. Default: none;
   * a page of the service is identified by its cookie.
   */
  readonly token?: string | undefined;
  readonly channel: N;
  readonly query?: ChannelQuery<N>;
  /** The language of failures, `en` or `zh`: a page cannot choose the headers of a socket. Default: that of the browser or the service. */
  readonly language?: string;
  /** Called for each event, in order. Must not throw. */
  readonly onEvent?: (event: ChannelEvent<N>) => void;
  /**
   * Makes the WebSocket. Default: the global `WebSocket`. Another constructor can send headers, such as that of the package `ws`:
   * `(address, protocols) => new WebSocket(address, protocols, { headers })`.
   */
  readonly connect?: Connect;
  /** Maximum calls that wait for their result; further ones are refused as `busy`. Default 1000. */
  readonly mostCalls?: number;
}

/** Commands of a channel. */
export interface Caller<N extends ChannelName> {
  /**
   * Sends a command and returns the `data` of its result. The service runs the commands of a connection in order.
   * @param onPiece called for each frame that precedes the result
   * @throws SocketError `refused` with the sentence of the service; `ended` if the connection ends first, with `isSent`; `busy` if
   * too many calls wait
   */
  readonly call: Call<N>;
}

/** An open connection to one channel. */
export interface ClientConnection<N extends ChannelName> extends Caller<N> {
  /**
   * Resolves when the service has answered a command that changes nothing (on the feed of a device, a heartbeat). The first answer
   * also shows that the service accepts the token and has begun to send events. It waits while the connection is open: set your own
   * time limit.
   * @throws SocketError `ended`, with the code 4401 if the token is not valid
   */
  readonly ping: () => Promise<void>;
  readonly close: () => void;
  /** Resolves when the connection has ended, on either side. */
  readonly ended: Promise<SocketError>;
}

/** The default limit of waiting calls. */
export const defaultCalls = 1000;

/** Limits the number of waiting calls of a connection. */
export function bounded<N extends ChannelName>(connection: Connection<N>, most: number): ClientConnection<N> {
  const { ping, close, ended } = connection;
  const call: Call<N> = (command, input, onPiece) =>
    connection.waiting() < most ? connection.call(command, input, onPiece) : Promise.reject(busy(most));
  return { ping, close, ended, call };
}

/**
 * Opens one connection to a channel. It does not reconnect; {@link followChannel} does that.
 *
 * If the network is cut silently, `ended` may not resolve while nothing is sent. The service pings every 30 seconds, but scripts
 * cannot see the pings of the protocol, so silence does not prove a dead connection. Call `ping` now and then, and `close` if it
 * has not resolved in time; `followChannel` does this.
 * @throws SocketError `ended` if the service cannot be reached
 * @throws TypeError if `url` is not an address of the web
 * @example
 * const rooms = await openChannel({ url: "https://telex.example", token, channel: "rooms" });
 * await rooms.call("sendGroupMessage", { groupId: 1, groupType: 1, message: "Hello." });
 */
export async function openChannel<N extends ChannelName>(options: OpenOptions<N>): Promise<ClientConnection<N>> {
  const { url, token, channel, query, language, connect, onEvent, mostCalls = defaultCalls } = options;
  const event = (one: ChannelEvent<N>): void => onEvent?.(one);
  const connection = createConnection({ url, token, channel, query, language, connect, event });
  await connection.opened;
  return bounded(connection, mostCalls);
}
