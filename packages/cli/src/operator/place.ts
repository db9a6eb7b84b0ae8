import type { Command } from "commander";
import { clientSettings } from "../options/command.ts";
import { UsageError } from "../errors/errors.ts";
import type { Config } from "../settings/load.ts";
import { flagOf } from "../settings/setting.ts";
import { allSettings, settings } from "../settings/table.ts";

/** The first flag that names a setting of the storage. */
function storageFlag(command: Command, config: Config): string | undefined {
  const ofClients: readonly unknown[] = clientSettings;
  const flags = allSettings.filter((setting) => !ofClients.includes(setting) && config.rank(setting) === 3);
  return flags.map(({ name }) => flagOf(name)).find((flag) => command.options.some(({ long }) => long === flag));
}

/**
 * True if an operator command goes over the network. Only `--url` or a named profile choose this: an address in the environment, or the
 * default profile of client commands, is not enough to change an installation other than the local one.
 * @throws UsageError for flags of both places, and for a token without a server
 */
export function isRemote(command: Command, config: Config): boolean {
  const isFlag = config.rank(settings.url) === 3 || config.rank(settings.profile) === 3;
  const flag = storageFlag(command, config);
  if (isFlag && flag !== undefined) {
    throw new UsageError(
      `--url and --profile are for a running server, ${flag} is for the storage. Leave one of them out.`,
    );
  }
  if (isFlag) return true;
  if (config.rank(settings.token) === 3 || config.rank(settings.tokenFile) === 3) {
    throw new UsageError(
      "--token and --token-file are for a running server. Add --url or --profile, or leave them out.",
    );
  }
  return flag === undefined && config.rank(settings.profile) > 0;
}
