import { type LiveConnection, type Telex, TelexError } from "@telex/core";
import type { Channel, Command } from "./channel.ts";
import { failure } from "./failures.ts";
import { type Reading, resultFrame } from "./frames.ts";
import { shorten } from "./message-reason.ts";

function unknownCommand(name: unknown, known: Iterable<string>): TelexError {
  const command = shorten(typeof name === "string" ? name : (JSON.stringify(name) ?? ""));
  return new TelexError("invalid_request", {
    reason: "command_unknown",
    params: { command, known: [...known].join(", ") },
  });
}

const findCommand = (channel: Channel, name: unknown): Command | undefined =>
  typeof name === "string" ? channel.commands.get(name) : undefined;

function errorOf(telex: Telex, thrown: unknown, command: unknown): TelexError {
  const error = TelexError.from(thrown);
  if (error.code === "internal") {
    telex.log.error("ws.command_failed", { command: String(command), incident: error.incident }, error.cause);
  }
  return error;
}

/** Does what a frame asks for, and answers the frame that says how it went. Never rejects. */
export async function answer(telex: Telex, channel: Channel, live: LiveConnection, reading: Reading): Promise<string> {
  const { identifier } = reading;
  const fail = (error: TelexError, result?: string): string => failure(error, identifier, telex.locale, result);
  if ("reason" in reading) return fail(new TelexError("invalid_request", { reason: reading.reason }));
  const { fields } = reading;
  const name = fields["command"];
  const command = findCommand(channel, name);
  if (command === undefined) return fail(unknownCommand(name, channel.commands.keys()));
  try {
    return resultFrame(command.result, identifier, await command.run({ telex, live, fields }));
  } catch (thrown) {
    return fail(errorOf(telex, thrown, name), command.result);
  }
}
