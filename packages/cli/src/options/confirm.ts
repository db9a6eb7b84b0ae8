import type { Command } from "commander";
import { canAsk } from "./command.ts";
import { Failure } from "../errors/errors.ts";

/** Adds the option `--yes` to a command that deletes something. */
export const confirmed = (command: Command): Command =>
  command.option("-y, --yes", "do not ask; without a terminal and with --json, it never asks");

/**
 * Asks a person on a terminal for confirmation. Scripts are not asked.
 * @throws Failure `aborted` unless the answer is yes
 */
export async function confirm(command: Command, question: string): Promise<void> {
  if (!canAsk(command) || command.opts<{ readonly yes?: boolean }>().yes === true) return;
  const { consola } = await import("consola");
  const answer = await consola.prompt(question, { type: "confirm", initial: false, cancel: "null" });
  if (answer !== true) throw new Failure("aborted", "Nothing was changed.");
}
