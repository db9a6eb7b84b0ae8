import { readFileSync } from "node:fs";
import { InvalidArgumentError } from "commander";
import type { Command } from "commander";
import { configOf } from "./command.ts";
import { codeOf, UsageError } from "./errors.ts";
import { choice, duration, integer, secret, toggle } from "./settings/kind.ts";
import type { Kind } from "./settings/kind.ts";
import type { Config } from "./settings/load.ts";
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
    const found = values.find((value) => String(value) === written);
    if (found === undefined) throw new InvalidArgumentError(`It must be ${values.join(" or ")}.`);
    return found;
  };

/** Reads several of a few values, separated by commas. `what` names them for a person. */
export const readChoices =
  <const T extends string>(what: string, values: readonly T[]) =>
  (written: string): T[] =>
    written.split(",").map((word) => {
      const found = values.find((value) => value === word.trim());
      if (found === undefined) throw new InvalidArgumentError(`${what} are ${values.join(", ")}.`);
      return found;
    });

/** Gathers an option that may be given several times. */
export const gather = (written: string, before: readonly string[] = []): string[] => [...before, written];

/** Which part of a list a command prints. */
export interface Page {
  readonly after?: string;
  readonly limit: number;
}

/** Adds the options of a list that is read in pages. `records` names what it contains. */
export const pageOptions = (command: Command, records: string): Command =>
  command
    .option("--after <id>", `only ${records} with a greater id`)
    .option("--limit <n>", "at most this many, 1 to 1000", readInteger(1, 1000), 100);

/** Where a client command finds its server, and with which token. */
export interface Server {
  readonly url: string;
  readonly token: string;
}

function readTokenFile(file: string): string {
  const token = readText("token file", file).trim();
  if (secret("<token>").parse(token) !== undefined) return token;
  const fault = token === "" ? "is empty" : "contains something else";
  throw new UsageError(`The token file ${file} ${fault}. It must contain the access token and nothing else.`);
}

/**
 * The text of a file that an option names.
 * @param what the kind of the file, for a person
 * @throws UsageError for a file that cannot be read
 */
export function readText(what: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    throw new UsageError(`The ${what} ${file} cannot be read (${codeOf(cause)}).`, { cause });
  }
}

/** The token, or that of the file: whichever was given in the place that counts more, the token where it is the same. */
function tokenOf(config: Config): string | null {
  const file = config.get(settings.tokenFile);
  const token = config.get(settings.token);
  if (file === null || (token !== null && config.rank(settings.token) >= config.rank(settings.tokenFile))) return token;
  return readTokenFile(file);
}

/** Whether a profile was named in a place that counts more than the token: `--profile` is not for a token of the environment. */
const isProfileFirst = (config: Config): boolean =>
  config.rank(settings.profile) > Math.max(config.rank(settings.token), config.rank(settings.tokenFile));

/**
 * The server that a client command was told of.
 * @throws UsageError without a token, and for a file of it that cannot be read
 */
export const serverOf = async (command: Command): Promise<Server> => await serverFor(await configOf(command));

/**
 * The server that the settings of a command name.
 * @throws UsageError without a token, and for a file of it that cannot be read
 */
export async function serverFor(config: Config): Promise<Server> {
  const { chooseProfile } = await import("./profiles/choose.ts");
  const profile = await chooseProfile(config);
  const given = profile !== null && isProfileFirst(config) ? profile.token : tokenOf(config);
  return { url: profile?.url ?? config.get(settings.url), token: given ?? profile?.token ?? (await askToken()) };
}

/**
 * The token that a person signs in with: given, or asked for on a terminal.
 * @throws UsageError without a token, and for a file of it that cannot be read
 */
export const loginTokenOf = async (config: Config): Promise<string> => tokenOf(config) ?? (await askToken());

async function askToken(): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(
      "This command needs a token: use telex login, TELEX_TOKEN in the environment, --token-file or --token.",
    );
  }
  const token = await (await import("./profiles/ask-secret.ts")).askSecret("Token (not shown): ");
  if (token === "") throw new UsageError("This command needs a token, but none was typed.");
  const kind = secret("<token>");
  if (kind.parse(token) === undefined) throw new UsageError(`The token must be ${kind.expected}.`);
  return token;
}
