import type { connectionCommands, Contracts, liveEvents } from "@telex/core/contract";
import type { CloseReason } from "@telex/core/transport";
import type { CommandOrder } from "./channel.ts";

/** The capabilities that have a channel. */
export type ChannelCapability = keyof typeof liveEvents;

/** The kinds of pieces of an output; never for an output without pieces. */
type PieceKind<Op> = Op extends { readonly pieces: infer P } ? keyof P & string : never;

/** A command for `Op`. If the output comes in pieces, the row names the frame of each piece; `result` is the last one. */
type CommandFor<Op> = CommandRow &
  ([PieceKind<Op>] extends [never]
    ? { readonly pieces?: never }
    : { readonly pieces: { readonly [K in Exclude<PieceKind<Op>, "result">]: string } });

/** One command of a channel. */
export interface CommandRow {
  /** The `command` of the frame. */
  readonly name: string;
  /** The `type` of the frame that answers it. */
  readonly result: string;
  /** The field of the output that is the `data` of the result. Default: the whole output. */
  readonly field?: string;
  /** Fields of the input that the connection provides instead of the frame. */
  readonly given?: readonly string[];
  /** How many calls it counts as in the rate limit of its caller. Default 1. */
  readonly cost?: number;
  /** When it runs and when its result leaves. Default `alone`. */
  readonly order?: CommandOrder;
}

/** A row for each operation of a capability and each connection command; null if the channel does not offer it. */
type CommandsFor<C extends ChannelCapability> = {
  readonly [O in keyof Contracts[C]]: CommandFor<Contracts[C][O]> | null;
} & { readonly [O in keyof (typeof connectionCommands)[C]]: CommandRow };

/** The row of one channel. */
export interface ChannelRow<C extends ChannelCapability> {
  /** The path below the base. The token may follow as its last segment. */
  readonly path: string;
  readonly capability: C;
  readonly summary: string;
  /** A token with any of these scopes may connect. `{deviceId}` is the field of the query. */
  readonly scopes: readonly string[];
  /** The fields of the query, each with its description. */
  readonly query: Readonly<Record<string, string>>;
  readonly commands: CommandsFor<C>;
  /** The `type` of the frame of each kind of event. */
  readonly events: { readonly [K in keyof (typeof liveEvents)[C]]: string };
  /** Reasons to close its connections, in addition to the common ones. */
  readonly closes: readonly CloseReason[];
}
