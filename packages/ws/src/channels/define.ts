import type { ErrorCode } from "@telex/core";
import type { Operation } from "@telex/core/contract";
import type { z } from "zod";
import type { Channel, ChannelConnection, Command, CommandCall, CommandOrder } from "./channel.ts";
import { eventFrame } from "../frames/frames.ts";

/** A command of a channel that a plug-in defines. */
export interface DefinedCommand {
  /** The `type` of the frame that answers it. */
  readonly result: string;
  readonly summary: string;
  /** The fields of the frame in addition to `identifier` and `command`. Unknown fields are ignored. */
  readonly input: z.ZodType;
  /** The `data` of the result. */
  readonly output: z.ZodType;
  /** Its errors, in addition to those of every operation. Default: none. */
  readonly errors?: readonly ErrorCode[];
  /** How many calls it counts as in the rate limit of its caller. Default 1. */
  readonly cost?: number;
  /** When it runs and when its result leaves. Default `alone`. */
  readonly order?: CommandOrder;
}

/** One call of a command of a plug-in. */
export interface DefinedCall<C extends DefinedCommand> extends Pick<CommandCall, "telex" | "live"> {
  /** The fields of the frame, parsed by the schema of the command. */
  readonly input: z.output<C["input"]>;
}

type Commands = Readonly<Record<string, DefinedCommand>>;
type Events = Readonly<Record<string, z.ZodType>>;
type Runs<C extends Commands> = {
  readonly [K in keyof C]: (call: DefinedCall<C[K]>) => Promise<z.output<C[K]["output"]>>;
};

/** A connection of a channel of a plug-in. */
export interface DefinedConnection<E extends Events> extends Pick<ChannelConnection, "telex" | "live" | "query"> {
  /** Sends an event. A connection with too much unsent output closes itself. */
  readonly push: <K extends keyof E & string>(type: K, data: z.input<E[K]>) => void;
}

/** The definition of a channel of a plug-in. */
export interface ChannelDefinition<C extends Commands, E extends Events> extends Pick<
  Channel,
  "name" | "path" | "summary" | "scopes"
> {
  /** The fields of the query, each with its description. Default: none. */
  readonly query?: Channel["query"];
  /** By the `command` of the frame. */
  readonly commands: C;
  /** The schema of the `data` of each event, by the `type` of its frame. */
  readonly events: E;
  /** Called for each admitted connection. `stop` is called when the connection has ended. */
  open(connection: DefinedConnection<E>): { readonly run: Runs<C>; readonly stop?: () => void };
}

/** A command as an operation. Access was checked when the connection was admitted. */
interface CommandOperation<C extends DefinedCommand> extends Operation {
  readonly access: "none";
  readonly input: C["input"];
  readonly output: C["output"];
}

function bindCommand<C extends DefinedCommand>(
  name: string,
  row: C,
  { telex, live }: Pick<ChannelConnection, "telex" | "live">,
  run: (call: DefinedCall<C>) => Promise<z.output<C["output"]>>,
): Command {
  const { result, cost, order, summary, input, output, errors = [] } = row;
  const operation: CommandOperation<C> = { summary, access: "none", input, output, errors };
  const call = telex.bind(name, operation, (_caller, fields) => run({ telex, live, input: fields }));
  return {
    result,
    ...(cost !== undefined && { cost }),
    ...(order !== undefined && { order }),
    run: ({ fields }) => call(live.holder, fields),
  };
}

/**
 * A channel for `createWs(telex, { channels: [...] })`: its own path, commands and events. Tokens, the order of results, rates,
 * limits, pings and closing work as on the channels of Telex, and it is in the AsyncAPI document.
 * @example
 * const clock = defineChannel({
 *   name: "clock",
 *   path: "/plugins/clock",
 *   summary: "Tells the time.",
 *   scopes: ["chat"],
 *   commands: { now: { summary: "The time.", result: "NowResult", input: z.object({}), output: z.int() } },
 *   events: {},
 *   open: ({ telex }) => ({ run: { now: async () => telex.clock.now() } }),
 * });
 */
export function defineChannel<const C extends Commands, const E extends Events>(
  definition: ChannelDefinition<C, E>,
): Channel {
  const { name, path, summary, scopes, query = {}, commands, events } = definition;
  const names: readonly (keyof C & string)[] = Object.keys(commands);
  return {
    name,
    path,
    summary,
    scopes,
    query,
    commands: names.map((command) => ({ name: command, pieces: {}, ...commands[command] })),
    events: Object.entries(events).map(([type, data]) => ({ type, data })),
    closes: [],
    open({ telex, live, query: asked, send }) {
      const push: DefinedConnection<E>["push"] = (type, data) => send(eventFrame(type, data));
      const { run, stop } = definition.open({ telex, live, query: asked, push });
      const bound = names.map(
        (command) =>
          [command, bindCommand(`${name}.${command}`, commands[command], { telex, live }, run[command])] as const,
      );
      return { commands: new Map(bound), stop: stop ?? (() => {}) };
    },
  };
}
