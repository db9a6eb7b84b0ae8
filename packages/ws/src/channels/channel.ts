import type { Telex } from "@telex/core";
import type { CloseReason, DeviceConnection, LiveConnection } from "@telex/core/transport";
import type { z } from "zod";
import type { Identifier } from "../connection/frames.ts";

/** A connection of somebody who may use its channel. */
export interface ChannelConnection {
  readonly telex: Telex;
  /** What core knows of it; it is attached already. */
  readonly live: DeviceConnection;
  /** What followed the `?` of its address. */
  readonly query: URLSearchParams;
  /** Sends one text frame. */
  readonly send: (text: string) => void;
  /** Resolves with true when the socket has taken all that was sent, with false when it is gone before. */
  readonly flushed: () => Promise<boolean>;
}

/** What a command returns that sends its results itself. */
export const unanswered = Symbol("unanswered");

/** One call of a command. */
export interface CommandCall {
  readonly telex: Telex;
  readonly live: LiveConnection;
  /** The `identifier` of the frame, for results that are sent later. */
  readonly identifier: Identifier;
  /** The fields of the frame, as they came. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Does what a command asks for, and returns the `data` of the result, or `unanswered`.
 * @throws TelexError why not
 */
export type Run = (call: CommandCall) => Promise<unknown>;

/**
 * When a command of a connection runs, and when its result leaves. Commands always begin in the order in which they came.
 *
 * - `alone`: it begins when all commands before it are answered, and those after it begin when it is.
 * - `together`: it runs simultaneously with others, and is answered in order. Its operation keeps the effects in order.
 * - `unordered`: it runs simultaneously with others, and is answered when it is done: for what takes as long as somebody else
 *   needs.
 */
export type CommandOrder = "alone" | "together" | "unordered";

/** A command of an open connection. */
export interface Command {
  /** The `type` of the frame that answers it. */
  readonly result: string;
  /** How many calls it counts as in the rate of its caller. Default 1. */
  readonly cost?: number;
  /** Default `alone`. */
  readonly order?: CommandOrder | ((fields: CommandCall["fields"]) => CommandOrder);
  readonly run: Run;
}

/** What a channel says of one of its commands, for the AsyncAPI document and the reference. */
export interface CommandDescription {
  /** The `command` of the frame. */
  readonly name: string;
  /** The `type` of the frame that answers it. */
  readonly result: string;
  readonly summary: string;
  /** The fields of the frame besides `identifier` and `command`. */
  readonly input: z.ZodType;
  /** The `data` of the result. */
  readonly output: z.ZodType;
  /** The `type` of each frame that comes before the result, and its `data`. */
  readonly pieces: Readonly<Record<string, z.ZodType>>;
}

/** What a channel says of a frame that comes by itself. */
export interface EventDescription {
  /** The `type` of the frame. */
  readonly type: string;
  readonly data: z.ZodType;
}

/** An open channel on one connection. */
export interface OpenChannel {
  /** By the `command` of the frame. */
  readonly commands: ReadonlyMap<string, Command>;
  /** The other side has sent a ping or a pong. */
  readonly alive?: () => void;
  /** Called when the connection has ended. */
  readonly stop: () => void;
}

/**
 * A kind of socket: its path, who may use it, what can be asked there and what comes by itself. Tokens, order, limits, pings and
 * closing are the same for all. A plug-in makes its own with `defineChannel`.
 */
export interface Channel {
  /** Names it in the AsyncAPI document. */
  readonly name: string;
  /** The path below the base, without the token that ends it. */
  readonly path: string;
  readonly summary: string;
  /** Scopes, any of which admits; `{name}` is a field of the query. Others are answered with `LoginFail`, and closed. */
  readonly scopes: readonly string[];
  /** What the address may ask for after its `?`, by name. */
  readonly query: Readonly<Record<string, string>>;
  readonly commands: readonly CommandDescription[];
  readonly events: readonly EventDescription[];
  /** Why its connections are closed, besides what can happen to all. */
  readonly closes: readonly CloseReason[];
  /** Called for each connection that is admitted, before its first command runs. */
  open(connection: ChannelConnection): OpenChannel;
}

/**
 * The same channels.
 * @throws TypeError if two have the same name or path
 */
export function assertDistinct(channels: readonly Channel[]): readonly Channel[] {
  for (const key of ["name", "path"] as const) {
    const values = channels.map((channel) => channel[key]);
    const twice = values.find((value, index) => values.indexOf(value) !== index);
    if (twice !== undefined) throw new TypeError(`Two channels have the ${key} ${twice}.`);
  }
  return channels;
}
