import type { Telex } from "@telex/core";
import type { CloseReason, DeviceConnection, LiveConnection, Locale } from "@telex/core/transport";
import type { z } from "zod";
import type { Identifier } from "../frames/frames.ts";

/** A connection whose caller may use its channel. */
export interface ChannelConnection {
  readonly telex: Telex;
  /** The connection as core sees it; it is already attached. */
  readonly live: DeviceConnection;
  /** The query of its address. */
  readonly query: URLSearchParams;
  /** The language of its failures. */
  readonly locale: Locale;
  /** Sends one text frame. */
  readonly send: (text: string) => void;
  /** Resolves with true when the socket has taken all frames, or with false if the connection ends first. */
  readonly flushed: () => Promise<boolean>;
}

/** The return value of a command that sends its results itself. */
export const unanswered = Symbol("unanswered");

/** One call of a command. */
export interface CommandCall {
  readonly telex: Telex;
  readonly live: LiveConnection;
  /** The `identifier` of the frame, for results that are sent later. */
  readonly identifier: Identifier;
  /** The fields of the frame, unparsed. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Runs the command and returns the `data` of the result, or `unanswered`.
 * @throws TelexError if the command fails
 */
export type Run = (call: CommandCall) => Promise<unknown>;

/**
 * When a command of a connection runs, and when its result leaves. Commands always begin in the order in which they arrived.
 *
 * - `alone`: it begins when all commands before it are answered, and later commands wait for it.
 * - `together`: it runs simultaneously with others, and is answered in order. Its operation keeps the effects in order.
 * - `unordered`: it runs simultaneously with others, and is answered when it is done. For commands that wait for another party.
 */
export type CommandOrder = "alone" | "together" | "unordered";

/** A command of an open connection. */
export interface Command {
  /** The `type` of the frame that answers it. */
  readonly result: string;
  /** How many calls it counts as in the rate limit of its caller. Default 1. */
  readonly cost?: number;
  /** Default `alone`. */
  readonly order?: CommandOrder | ((fields: CommandCall["fields"]) => CommandOrder);
  readonly run: Run;
}

/** A command of a channel, as the AsyncAPI document and the reference describe it. */
export interface CommandDescription {
  /** The `command` of the frame. */
  readonly name: string;
  /** The `type` of the frame that answers it. */
  readonly result: string;
  readonly summary: string;
  /** The fields of the frame in addition to `identifier` and `command`. */
  readonly input: z.ZodType;
  /** The `data` of the result. */
  readonly output: z.ZodType;
  /** The `type` and `data` of each frame that precedes the result. */
  readonly pieces: Readonly<Record<string, z.ZodType>>;
}

/** An event of a channel, as the AsyncAPI document and the reference describe it. */
export interface EventDescription {
  /** The `type` of the frame. */
  readonly type: string;
  readonly data: z.ZodType;
}

/** An open channel on one connection. */
export interface OpenChannel {
  /** By the `command` of the frame. */
  readonly commands: ReadonlyMap<string, Command>;
  /** Called when the other side sends a ping or a pong. */
  readonly alive?: () => void;
  /** Called for each frame of the other side, before its command runs. */
  readonly used?: () => void;
  /** Called when the connection has ended. */
  readonly stop: () => void;
}

/**
 * A kind of socket: its path, its scopes, its commands and its events. Tokens, order, limits, pings and closing are the same for
 * all channels. A plug-in makes its own with `defineChannel`.
 */
export interface Channel {
  /** The name in the AsyncAPI document. */
  readonly name: string;
  /** The path below the base, without the token at its end. */
  readonly path: string;
  readonly summary: string;
  /** A token with any of these scopes may connect. `{name}` is a field of the query. Other callers get `LoginFail` and are disconnected. */
  readonly scopes: readonly string[];
  /** The fields of the query, each with its description. */
  readonly query: Readonly<Record<string, string>>;
  readonly commands: readonly CommandDescription[];
  readonly events: readonly EventDescription[];
  /** Reasons to close its connections, in addition to the common ones. */
  readonly closes: readonly CloseReason[];
  /** Called for each admitted connection, before its first command runs. */
  open(connection: ChannelConnection): OpenChannel;
}

/**
 * Checks channels and returns them.
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
