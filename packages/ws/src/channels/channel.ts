import type { DeviceConnection, LiveConnection, Telex, TokenHolder } from "@telex/core";
import type { Identifier } from "../connection/frames.ts";

/** A connection of somebody who may use its channel. */
export interface ChannelConnection {
  readonly telex: Telex;
  /** What core knows of it; it is attached already. */
  readonly live: DeviceConnection;
  /** What followed the `?` of its address. */
  readonly query: URLSearchParams;
  /** Puts one text frame on its way. */
  readonly send: (text: string) => void;
  /** Resolves with true when the socket has taken all that was sent, with false when it is gone before. */
  readonly flushed: () => Promise<boolean>;
}

/** What a command answers that sends its answers itself. */
export const unanswered = Symbol("unanswered");

/** One call of a command. */
export interface CommandCall {
  readonly telex: Telex;
  readonly live: LiveConnection;
  /** The `identifier` of the frame, for answers that are sent later. */
  readonly identifier: Identifier;
  /** The fields of the frame, as they came. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** One command of a channel. */
export interface Command {
  /** The `type` of the frame that answers it. */
  readonly result: string;
  /** How many calls it counts as in the rate of its caller. Default 1. */
  readonly cost?: number;
  /**
   * Does it, and answers the `data` of the result, or `unanswered`. The next command of the connection waits for it.
   * @throws TelexError why not
   */
  run(call: CommandCall): Promise<unknown>;
}

/** A channel at work on one connection. */
export interface OpenChannel {
  /** By the `command` of the frame. */
  readonly commands: ReadonlyMap<string, Command>;
  /** The other side has given a sign of life: a ping or a pong. */
  readonly alive?: () => void;
  /** The connection has ended. */
  readonly stop: () => void;
}

/**
 * A kind of socket: where it is, who may use it, what can be asked there and what happens on its own. A new socket is a
 * channel of its own in `channels.ts`; tokens, order, limits, pings and closing are the same for all.
 */
export interface Channel {
  /** The path below the base, without the token that ends it. */
  readonly path: string;
  /** Whether the holder of a valid token may use it. Everybody else is answered with `LoginFail`, and closed. */
  admits(holder: TokenHolder, query: URLSearchParams): boolean;
  /** Begins what happens on its own, before the first command runs. */
  open(connection: ChannelConnection): OpenChannel;
}
