import type { Command } from "commander";
import { UsageError } from "../errors/errors.ts";
import { readText } from "../input/read-text.ts";
import { configOf } from "../options/command.ts";
import { secret } from "../settings/kind.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

/** The server of a client command, and the token for it. */
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
 * The token, or the one in the token file, or null. The setting of higher rank wins; if both have the same rank, the token does.
 * @throws UsageError for a file that cannot be read
 */
export function tokenOf(config: Config): string | null {
  const file = config.get(settings.tokenFile);
  const token = config.get(settings.token);
  if (file === null || (token !== null && config.rank(settings.token) >= config.rank(settings.tokenFile))) return token;
  return readTokenFile(file);
}

/** True if the profile has a higher rank than the token: a token in the environment does not override `--profile`. */
const isProfileFirst = (config: Config): boolean =>
  config.rank(settings.profile) > Math.max(config.rank(settings.token), config.rank(settings.tokenFile));

/**
 * The server that the settings of a command name.
 * @throws UsageError without a token, and for a file of it that cannot be read
 */
export const serverOf = async (command: Command): Promise<Server> => await serverFor(await configOf(command));

/**
 * The server that the settings of a command name. A token of a profile that is about to end is renewed.
 * @throws UsageError without a token, and for a file of it that cannot be read
 * @throws Failure if the profile's person is signed out, or the token cannot be renewed
 */
export async function serverFor(config: Config): Promise<Server> {
  const { chooseProfile } = await import("../profiles/choose.ts");
  const profile = await chooseProfile(config);
  const token = profile !== null && isProfileFirst(config) ? null : tokenOf(config);
  if (token !== null || profile === null)
    return { url: profile?.url ?? config.get(settings.url), token: token ?? (await askToken()) };
  const { freshTokenOf } = await import("./renew.ts");
  return { url: profile.url, token: await freshTokenOf(profile) };
}

/**
 * Asks for a token on a terminal.
 * @throws UsageError without one
 */
export async function askToken(): Promise<string> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) {
    throw new UsageError(
      "This command needs a token: use telex login, TELEX_TOKEN in the environment, --token-file or --token.",
    );
  }
  const token = await (await import("../profiles/ask-secret.ts")).askSecret("Token (not shown): ");
  if (token === "") throw new UsageError("This command needs a token, but none was typed.");
  const kind = secret("<token>");
  if (kind.parse(token) === undefined) throw new UsageError(`The token must be ${kind.expected}.`);
  return token;
}
