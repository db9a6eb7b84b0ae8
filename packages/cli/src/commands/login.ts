import type { Command } from "commander";
import { canAsk, clientSettings, configOf, printResult, settingOptions, talkOf } from "../options/command.ts";
import { Failure, UsageError } from "../errors/errors.ts";
import { loginTokenOf } from "../client/server.ts";
import { printable } from "../terminal/output.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

const loginHelp = `
This command checks the token and stores it in a file that only you can read. Client commands then need neither --url nor
--token. --profile <name> selects one of several. On a terminal, the command asks for an address and a token that are not given.

Examples:
  $ telex login --url https://telex.example
  $ telex login --url https://telex.example --profile work --token-file token.txt
  $ telex device list --profile work`;

const nameOf = async (command: Command): Promise<string> => {
  const { defaultProfile } = await import("../profiles/store.ts");
  return (await configOf(command)).get(settings.profile) ?? defaultProfile;
};

export function defineLogin(command: Command): void {
  settingOptions(command, clientSettings)
    .addHelpText("after", loginHelp)
    .action(async () => {
      await login(command);
    });
}

/** The given address. Without one, the command asks on a terminal, and otherwise takes the default. */
async function urlOf(command: Command, config: Config): Promise<string> {
  const given = config.get(settings.url);
  if (!canAsk(command) || config.rank(settings.url) > 0) return given;
  const { consola } = await import("consola");
  const typed = await consola.prompt("Address of the server", { initial: given, cancel: "null" });
  if (typed === null) throw new Failure("aborted", "No address was given.");
  const url = settings.url.kind.parse(typed);
  if (url === undefined) throw new UsageError(`The address must be ${settings.url.kind.expected}.`);
  return url;
}

async function login(command: Command): Promise<void> {
  const [name, config] = [await nameOf(command), await configOf(command)];
  const server = { url: await urlOf(command, config), token: await loginTokenOf(config) };
  const { withClient } = await import("../client/with-client.ts");
  const { nickname } = await withClient(server, async (client) => await client.users.userInfo());
  const { keepProfile, profilesFile } = await import("../profiles/store.ts");
  await keepProfile(name, server);
  const done = `You are ${printable(nickname)} at ${server.url}: profile ${printable(name)} in ${profilesFile()}.`;
  printResult(command, { profile: name, url: server.url, nickname }, () => talkOf(command).done(done));
}

const logoutHelp = `
The token stays valid. To end it, use telex token revoke, or the list of tokens on the pages.

Example:
  $ telex logout --profile work`;

export function defineLogout(command: Command): void {
  settingOptions(command, [settings.profile])
    .addHelpText("after", logoutHelp)
    .action(async () => {
      const name = await nameOf(command);
      const { forgetProfile } = await import("../profiles/store.ts");
      if (!(await forgetProfile(name))) throw new Failure("not_found", `There is no profile "${printable(name)}".`);
      const done = `Profile ${printable(name)} is deleted. Its token stays valid until it is revoked.`;
      printResult(command, { profile: name, removed: true }, () => talkOf(command).done(done));
    });
}
