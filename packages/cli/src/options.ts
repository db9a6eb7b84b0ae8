import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { configOf } from "./command.ts";
import { UsageError } from "./errors.ts";
import { duration, integer } from "./settings/kind.ts";
import type { Kind } from "./settings/kind.ts";
import { settings } from "./settings/table.ts";

const reader =
  <T>(kind: Kind<T>) =>
  (written: string): T => {
    const value = kind.parse(written);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${kind.expected}.`);
    return value;
  };

/** Reads the whole number of an option. */
export const readInteger = (min: number, max?: number): ((written: string) => number) => reader(integer(min, max));

/** Reads the length of time of an option, in milliseconds. */
export const readDuration = reader(duration);

/** Gathers an option that may be given several times. */
export const gather = (written: string, before: readonly string[] = []): string[] => [...before, written];

/** Where a client command finds its server, and with which token. */
export interface Server {
  readonly url: string;
  readonly token: string;
}

/**
 * The server that a client command was told of.
 * @throws UsageError without a token
 */
export async function serverOf(command: Command): Promise<Server> {
  const config = await configOf(command);
  const token = config.get(settings.token);
  if (token === null) throw new UsageError("A token is needed: --token, or TELEX_TOKEN in the environment.");
  return { url: config.get(settings.url), token };
}
