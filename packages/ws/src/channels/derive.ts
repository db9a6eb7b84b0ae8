import type { Caller } from "@telex/core";
import {
  connectionCommands,
  type ConnectionCommand,
  type Contract,
  contracts,
  isOperationName,
  liveEvents,
  type Operation,
} from "@telex/core/contract";
import { z } from "zod";
import type { Channel, Command, CommandCall, CommandDescription, Run } from "./channel.ts";
import { type ChannelName, channelTable } from "./table.ts";
import type { ChannelCapability, CommandRow } from "./row.ts";

type Row = CommandRow & { readonly pieces?: Readonly<Record<string, string>> };
type Described = (Operation | ConnectionCommand) & Pick<Operation, "pieces">;

const fieldOf = (schema: z.ZodType, name: string): z.ZodType => {
  const field: unknown = schema instanceof z.ZodObject ? schema.shape[name] : undefined;
  if (!(field instanceof z.ZodType)) throw new TypeError(`The output has no field ${name}.`);
  return field;
};

function without(schema: z.ZodType, names: readonly string[]): z.ZodType {
  if (!(schema instanceof z.ZodObject) || names.length === 0) return schema;
  return z.object(Object.fromEntries(Object.entries(schema.shape).filter(([name]) => !names.includes(name))));
}

function describe(row: Row, { summary, input, output, pieces = {} }: Described): CommandDescription {
  const { name, result, field, given = [] } = row;
  const whole = pieces["result"] ?? output;
  const frames = Object.entries(row.pieces ?? {}).map(([kind, type]) => [type, pieces[kind] ?? z.unknown()] as const);
  return {
    name,
    result,
    summary,
    input: without(input, given),
    output: field === undefined ? whole : fieldOf(whole, field),
    pieces: Object.fromEntries(frames),
  };
}

/** The rows of a channel that are offered, each with its name in core. */
function rowsOf(channel: ChannelName): readonly (readonly [string, Row])[] {
  const rows: Readonly<Record<string, Row | null>> = channelTable[channel].commands;
  return Object.entries(rows).flatMap(([method, row]) => (row === null ? [] : [[method, row] as const]));
}

const describedBy = (capability: ChannelCapability): Readonly<Record<string, Described>> => {
  const contract: Contract = contracts[capability];
  const ofConnections: Readonly<Record<string, ConnectionCommand>> = connectionCommands[capability];
  return { ...contract, ...ofConnections };
};

/** The description of a channel, from the table and the contracts. */
export function describeChannel(name: ChannelName): Omit<Channel, "open"> {
  const { path, summary, scopes, query, closes, capability, events: types } = channelTable[name];
  const described = describedBy(capability);
  const schemas: Readonly<Record<string, z.ZodType>> = liveEvents[capability];
  const commands = rowsOf(name).flatMap(([method, row]) => {
    const operation = described[method];
    return operation === undefined ? [] : [describe(row, operation)];
  });
  const events = Object.entries(types).map(([kind, type]) => ({ type, data: schemas[kind] ?? z.unknown() }));
  return { name, path, summary, scopes, query, closes, commands, events };
}

/** A copy of a call with further fields, which the connection provides. */
export const withFields = (call: CommandCall, fields: Readonly<Record<string, unknown>>): CommandCall => ({
  ...call,
  fields: { ...call.fields, ...fields },
});

/** Runs the operation of a row with the fields of the frame, and returns the part of its output that the table names. */
function operationRun(name: string, { field }: Row): Run | null {
  if (!isOperationName(name)) return null;
  const call = ({ telex, live, fields }: CommandCall): Promise<unknown> => {
    const holder: Caller = live.holder;
    return telex.call(name, holder, fields, { origin: live });
  };
  if (field === undefined) return call;
  return async (input) => {
    const data: unknown = Reflect.get(Object(await call(input)), field);
    return data;
  };
}

/** Implementations of the commands that the table does not fully describe. Connection commands need one. */
type Runs<N extends ChannelName> = {
  readonly [K in keyof (typeof connectionCommands)[(typeof channelTable)[N]["capability"]]]: Run;
} & { readonly [K in keyof (typeof channelTable)[N]["commands"]]?: Run };

/** Wraps the operation of a command. */
export type Around = (run: Run, row: CommandRow) => Run;

const commandOf = ({ result, cost, order }: CommandRow, run: Run): Command => ({
  result,
  run,
  ...(cost !== undefined && { cost }),
  ...(order !== undefined && { order }),
});

/**
 * The commands of a channel by the `command` of the frame, from the table.
 * @param runs implementations that replace the operation
 * @param around wraps every operation
 */
export function commandsOf<N extends ChannelName>(
  channel: N,
  runs: Runs<N>,
  around: Around = (run) => run,
): ReadonlyMap<string, Command> {
  const own: Readonly<Record<string, Run | undefined>> = runs;
  return new Map(
    rowsOf(channel).map(([method, row]) => {
      const operation = operationRun(`${channelTable[channel].capability}.${method}`, row);
      const run = own[method] ?? (operation === null ? undefined : around(operation, row));
      if (run === undefined) throw new TypeError(`Nothing runs the command ${row.name}.`);
      return [row.name, commandOf(row, run)] as const;
    }),
  );
}
