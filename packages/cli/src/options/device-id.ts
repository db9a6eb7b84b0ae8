import type { Command } from "commander";

/**
 * Gives a command a device ID as its first argument, or as `--id`.
 * @param others the arguments after the ID: their names and descriptions
 */
export function deviceArguments(command: Command, others: Readonly<Record<string, string>> = {}): Command {
  const names = ["id", ...Object.keys(others)];
  command.usage(`[options] ${names.map((name) => `<${name}>`).join(" ")}`).argument("[id]", "device ID, also as --id");
  for (const [name, description] of Object.entries(others)) command.argument(`[${name}]`, description);
  return command.option("--id <id>", "device ID, instead of the argument");
}

/** The device ID and the other arguments of a command with {@link deviceArguments}, in the order of the usage. */
export function deviceWords(command: Command): readonly string[] {
  const { id } = command.opts<{ readonly id?: string }>();
  const words = id === undefined ? command.args : [id, ...command.args];
  const names = command.registeredArguments.map((argument) => argument.name());
  const missing = names[words.length];
  if (missing !== undefined) command.error(`error: missing required argument '${missing}'`, { exitCode: 2 });
  if (words.length > names.length) command.error("error: the device ID is given twice, also as --id", { exitCode: 2 });
  return words;
}
