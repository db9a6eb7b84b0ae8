import type { connectionCommands, Contracts, liveEvents } from "@telex/core/contract";
import type { z } from "zod";
import type { ChannelName, channelTable } from "../channels/table.ts";

type Table = typeof channelTable;
type Capability<N extends ChannelName> = Table[N]["capability"];
type Described<N extends ChannelName> = Contracts[Capability<N>] & (typeof connectionCommands)[Capability<N>];
type Rows<N extends ChannelName> = Table[N]["commands"];

/** The commands of a channel. */
export type CommandName<N extends ChannelName> = {
  [M in keyof Rows<N>]: Rows<N>[M] extends { readonly name: infer C extends string } ? C : never;
}[keyof Rows<N>];

type Method<N extends ChannelName, C> = {
  [M in keyof Rows<N>]: Rows<N>[M] extends { readonly name: C } ? M : never;
}[keyof Rows<N>];

type RowOf<N extends ChannelName, C> = Rows<N>[Method<N, C>];
type OperationOf<N extends ChannelName, C> = Described<N>[Method<N, C> & keyof Described<N>];
type Given<R> = R extends { readonly given: readonly (infer G)[] } ? G & PropertyKey : never;
type Whole<Op> = Op extends { readonly pieces: { readonly result: infer R extends z.ZodType } }
  ? z.output<R>
  : Op extends { readonly output: infer O extends z.ZodType }
    ? z.output<O>
    : never;
type FieldOf<R, O> = R extends { readonly field: infer F } ? O[F & keyof O] : O;

/** The fields of a command, without those that the connection provides. */
export type CommandInput<N extends ChannelName, C extends CommandName<N>> =
  OperationOf<N, C> extends { readonly input: infer I extends z.ZodType }
    ? Omit<z.input<I>, Given<RowOf<N, C>>>
    : never;

/** The `data` of the result of a command. */
export type CommandOutput<N extends ChannelName, C extends CommandName<N>> = FieldOf<
  RowOf<N, C>,
  Whole<OperationOf<N, C>>
>;

type PieceTypes<R> = R extends { readonly pieces: infer P } ? P : never;
type PieceData<Op, K> = Op extends { readonly pieces: infer P }
  ? P[K & keyof P] extends z.ZodType
    ? z.output<P[K & keyof P]>
    : never
  : never;

/** A frame that precedes the result of a command. */
export type CommandPiece<N extends ChannelName, C extends CommandName<N>> = {
  [K in keyof PieceTypes<RowOf<N, C>>]: {
    readonly type: PieceTypes<RowOf<N, C>>[K];
    readonly data: PieceData<OperationOf<N, C>, K>;
  };
}[keyof PieceTypes<RowOf<N, C>>];

/** Sends a command, and resolves with the `data` of its result. */
export type Call<N extends ChannelName> = <C extends CommandName<N>>(
  command: C,
  input: CommandInput<N, C>,
  onPiece?: (piece: CommandPiece<N, C>) => void,
) => Promise<CommandOutput<N, C>>;

type EventSchemas<N extends ChannelName> = (typeof liveEvents)[Capability<N>];
type DataOf<S> = S extends z.ZodType ? z.output<S> : never;

/** An event of a channel. */
export type ChannelEvent<N extends ChannelName> = {
  [K in keyof Table[N]["events"]]: {
    readonly type: Table[N]["events"][K];
    readonly data: DataOf<EventSchemas<N>[K & keyof EventSchemas<N>]>;
  };
}[keyof Table[N]["events"]];

/** The fields of the query of a channel. */
export type ChannelQuery<N extends ChannelName> = Readonly<Partial<Record<keyof Table[N]["query"], string>>>;
