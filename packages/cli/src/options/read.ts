import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { choice, integer, toggle } from "../settings/kind.ts";
import { duration } from "../settings/quantity-kinds.ts";
import type { Kind } from "../settings/kind.ts";

const reader =
  <T>(kind: Kind<T>) =>
  (written: string): T => {
    const value = kind.parse(written);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${kind.expected}.`);
    return value;
  };

/** Reads the whole number of an option. */
export const readInteger = (min: number, max?: number): ((written: string) => number) => reader(integer(min, max));

/** Reads `on` or `off`. */
export const readToggle = reader(toggle);

const readVersion = reader(choice("11", "12"));

/** Reads a version of OneBot. */
export const readProtocol = (written: string): 11 | 12 => (readVersion(written) === "11" ? 11 : 12);

/** Reads the length of time of an option, in milliseconds. */
export const readDuration = reader(duration);

/** Reads a short time such as `1200ms`, `2s` or `0`: milliseconds, at most an hour. */
export function readInterval(written: string): number {
  const [, digits = "", unit = "ms"] = /^(\d{1,7})(ms|s)?$/.exec(written) ?? [];
  const value = digits === "" ? Number.NaN : Number(digits) * (unit === "s" ? 1000 : 1);
  if (!(value <= 3_600_000)) throw new InvalidArgumentError("It must be a time such as 1200ms, 2s or 0.");
  return value;
}

/** Reads one of a few values. */
export const readChoice =
  <const T extends string | number>(values: readonly T[]) =>
  (written: string): T => {
    const match = values.find((value) => String(value) === written);
    if (match === undefined) throw new InvalidArgumentError(`It must be ${values.join(" or ")}.`);
    return match;
  };

/** Reads several of a few values, separated by commas. `what` names the values in errors. */
export const readChoices =
  <const T extends string>(what: string, values: readonly T[]) =>
  (written: string): T[] =>
    written.split(",").map((word) => {
      const match = values.find((value) => value === word.trim());
      if (match === undefined) throw new InvalidArgumentError(`${what} are ${values.join(", ")}.`);
      return match;
    });

/** Gathers an option that may be given several times. */
export const gather = (written: string, before: readonly string[] = []): string[] => [...before, written];

/** The part of a list that a command prints. */
export interface Page {
  readonly after?: string;
  readonly limit: number;
}

/** Adds the options of a list that is printed in pages. `records` names its rows. */
export const pageOptions = (command: Command, records: string): Command =>
  command
    .option("--after <id>", `only ${records} with a greater id`)
    .option("--limit <n>", "at most this many, 1 to 1000", readInteger(1, 1000), 100);
