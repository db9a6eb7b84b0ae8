import { type Telex, TelexError } from "@telex/core";
import type { LiveConnection, Locale } from "@telex/core/transport";
import { type Command, type CommandOrder, type OpenChannel, unanswered } from "../channels/channel.ts";
import { failure } from "../frames/failures.ts";
import { type Reading, resultFrame } from "../frames/frames.ts";
import { shorten } from "../channels/message-reason.ts";

/** A command name for an error message. Long or deep values are shortened, because writing them would cost more than reading them. */
function shown(name: unknown): string {
  if (Array.isArray(name)) return "[…]";
  if (typeof name === "object" && name !== null) return "{…}";
  return shorten(typeof name === "string" ? name : (JSON.stringify(name) ?? ""));
}

function unknownCommand(name: unknown, commands: Iterable<string>): TelexError {
  const command = shown(name);
  const names = [...commands].join(", ");
  if (names === "") return new TelexError("invalid_request", { reason: "command_not_taken", params: { command } });
  return new TelexError("invalid_request", { reason: "command_unknown", params: { command, known: names } });
}

const fieldsOf = (reading: Reading): Readonly<Record<string, unknown>> => ("fields" in reading ? reading.fields : {});

function findCommand(commands: OpenChannel["commands"], reading: Reading): Command | undefined {
  const name = fieldsOf(reading)["command"];
  return typeof name === "string" ? commands.get(name) : undefined;
}

/** The order of a frame's command. Frames without a known command need no order. */
export function orderOf(commands: OpenChannel["commands"], reading: Reading): CommandOrder {
  const command = findCommand(commands, reading);
  if (command === undefined) return "together";
  const { order = "alone" } = command;
  return typeof order === "string" ? order : order(fieldsOf(reading));
}

function errorOf(telex: Telex, thrown: unknown, command: unknown): TelexError {
  const error = TelexError.from(thrown);
  if (error.code === "internal")
    telex.log.error("ws.command_failed", { command: String(command), incident: error.incident }, error.cause);
  return error;
}

/** The connection of a frame, with its commands. */
interface Asker {
  readonly telex: Telex;
  readonly live: LiveConnection;
  readonly locale: Locale;
  readonly commands: OpenChannel["commands"];
  /**
   * Counts a command.
   * @throws TelexError `rate_limited`
   */
  readonly count: (cost: number) => void;
}

/**
 * Runs the command of a frame, and returns the frame of its result; null if the command sends its results itself. Never rejects.
 */
export async function answer(
  { telex, live, locale, commands, count }: Asker,
  reading: Reading,
): Promise<string | null> {
  const { identifier } = reading;
  const fail = (error: TelexError, result?: string): string => failure(error, identifier, locale, result);
  const fields = fieldsOf(reading);
  const name = fields["command"];
  const command = findCommand(commands, reading);
  try {
    count(command?.cost ?? 1);
    if ("reason" in reading) throw new TelexError("invalid_request", { reason: reading.reason });
    if (command === undefined) throw unknownCommand(name, commands.keys());
    const data = await command.run({ telex, live, identifier, fields });
    return data === unanswered ? null : resultFrame(command.result, identifier, data);
  } catch (thrown) {
    return fail(errorOf(telex, thrown, name), command?.result);
  }
}
