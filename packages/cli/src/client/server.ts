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

/** The token, or the one in the token file. The place that counts more decides; in the same place, the token does. */
function tokenOf(config: Config): string | null {
  const file = config.get(settings.tokenFile);
  const token = config.get(settings.token);
  if (file === null || (token !== null && config.rank(settings.token) >= config.rank(settings.tokenFile))) return token;
  return readTokenFile(file);
}

/** True if the profile was named in a place that counts more than the token: a token in the environment does not override `--profile`. */
const isProfileFirst = (config: Config): boolean =>
  config.rank(settings.profile) > Math.max(config.rank(settings.token), config.rank(settings.tokenFile));

/**
 * The server that the settings of a command name.
 * @throws UsageError without a token, and for a file of it that cannot be read
 */
export const serverOf = async (command: Command): Promise<Server> => await serverFor(await configOf(command));

/**
 * The server that the settings of a command name.
 * @throws UsageError without a token, and for a file of it that cannot be read
 */
export async function serverFor(config: Config): Promise<Server> {
  const { chooseProfile } = await import("../profiles/choose.ts");
  const profile = await chooseProfile(config);
  const given = profile !== null && isProfileFirst(config) ? profile.token : tokenOf(config);
  return { url: profile?.url ?? config.get(settings.url), token: given ?? profile?.token ?? (await askToken()) };
}

/**
 * The token that a person signs in with. Without one, the command asks on a terminal.
 * @throws UsageError without a token, and for a file of it that cannot be read
 */
export const loginTokenOf = async (config: Config): Promise<string> => tokenOf(config) ?? (await askToken());

async function askToken(): Promise<string> {
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
