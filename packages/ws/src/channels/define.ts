import { parseInput } from "@telex/core/transport";
import type { z } from "zod";
import type { Channel, ChannelConnection, Command, CommandCall, CommandOrder } from "./channel.ts";
import { eventFrame } from "../connection/frames.ts";

/** A command of a channel that a plug-in defines. */
export interface DefinedCommand {
  /** The `type` of the frame that answers it. */
  readonly result: string;
  readonly summary: string;
  /** The fields of the frame besides `identifier` and `command`; others are ignored. */
  readonly input: z.ZodType;
  /** The `data` of the result. */
  readonly output: z.ZodType;
  /** How many calls it counts as in the rate of its caller. Default 1. */
  readonly cost?: number;
  /** When it runs beside the other commands of its connection, and when its result leaves. Default `alone`. */
  readonly order?: CommandOrder;
}

/** One call of a command of a plug-in. */
export interface DefinedCall<C extends DefinedCommand> extends Pick<CommandCall, "telex" | "live"> {
  /** The fields of the frame, as the schema of the command reads them. */
  readonly input: z.output<C["input"]>;
}

type Commands = Readonly<Record<string, DefinedCommand>>;
type Events = Readonly<Record<string, z.ZodType>>;
type Runs<C extends Commands> = {
  readonly [K in keyof C]: (call: DefinedCall<C[K]>) => Promise<z.input<C[K]["output"]>>;
};

/** A connection of a channel of a plug-in. */
export interface DefinedConnection<E extends Events> extends Pick<ChannelConnection, "telex" | "live" | "query"> {
  /** Sends an event. A connection on which too much waits closes itself. */
  readonly push: <K extends keyof E & string>(type: K, data: z.input<E[K]>) => void;
}

/** What a plug-in says of its channel. */
export interface ChannelDefinition<C extends Commands, E extends Events> extends Pick<
  Channel,
  "name" | "path" | "summary" | "scopes"
> {
  /** What the address may ask for after its `?`, by name. Default: nothing. */
  readonly query?: Channel["query"];
  /** By the `command` of the frame. */
  readonly commands: C;
  /** The schema of the `data` of each event, by the `type` of its frame. */
  readonly events: E;
  /** Called for each connection that is admitted. `stop` is called when it has ended. */
  open(connection: DefinedConnection<E>): { readonly run: Runs<C>; readonly stop?: () => void };
}

const bindCommand = <C extends DefinedCommand>(
  row: C,
  run: (call: DefinedCall<C>) => Promise<z.input<C["output"]>>,
): Command => ({
  result: row.result,
  ...(row.cost !== undefined && { cost: row.cost }),
  ...(row.order !== undefined && { order: row.order }),
  run: async ({ telex, live, fields }) => run({ telex, live, input: parseInput<C["input"]>(row, fields) }),
});

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
      const bound = names.map((command) => [command, bindCommand(commands[command], run[command])] as const);
      return { commands: new Map(bound), stop: stop ?? (() => {}) };
    },
  };
}
