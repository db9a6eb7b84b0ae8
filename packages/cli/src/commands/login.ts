import type { Command } from "commander";
import { canAsk, clientSettings, commonOf, configOf, printResult, settingOptions, talkOf } from "../options/command.ts";
import { Failure, messageOf, UsageError } from "../errors/errors.ts";
import { askToken, tokenOf } from "../client/server.ts";
import type { Profile } from "../profiles/store.ts";
import { printable } from "../terminal/output.ts";
import type { Config } from "../settings/load.ts";
import { settings } from "../settings/table.ts";

const loginHelp = `
Shows a code, and the page of the server that asks for it. If there is a browser, the page opens by itself. Client commands then need
neither --url nor --token; --profile <name> selects one of several. The profile is stored in a file that only you can read, and its
access token is renewed when it ends.

If a token is given, it is checked and stored instead. A server without accounts needs one.

Examples:
  $ telex login --url https://telex.example
  $ telex login --url https://telex.example --profile work --token-file token.txt`;

const nameOf = async (command: Command): Promise<string> => {
  const { defaultProfile } = await import("../profiles/store.ts");
  return (await configOf(command)).get(settings.profile) ?? defaultProfile;
};

interface LoginOptions {
  readonly browser: boolean;
  readonly withToken?: boolean;
}

export function defineLogin(command: Command): void {
  settingOptions(command, clientSettings)
    .option("--no-browser", "show the page and the code, but open no browser")
    .option("--with-token", "ask for a token on the terminal instead of using a browser")
    .addHelpText("after", loginHelp)
    .action(async (options: LoginOptions) => login(command, options));
}

/** The given address. Without one, asks on a terminal; without a terminal, uses the default. */
async function urlOf(command: Command, config: Config): Promise<string> {
  const configured = config.get(settings.url);
  if (!canAsk(command) || config.rank(settings.url) > 0) return configured;
  const { consola } = await import("consola");
  const typed = await consola.prompt("Address of the server", { initial: configured, cancel: "null" });
  if (typed === null) throw new Failure("aborted", "No address was given.");
  const url = settings.url.kind.parse(typed);
  if (url === undefined) throw new UsageError(`The address must be ${settings.url.kind.expected}.`);
  return url;
}

/** The profile with a given token, or of a sign-in in the browser, or, if the server offers none, with a token that the person types. */
async function profileOf(command: Command, config: Config, options: LoginOptions): Promise<Profile> {
  const url = await urlOf(command, config);
  const token = tokenOf(config);
  if (token !== null) return { url, token };
  if (options.withToken === true) return { url, token: await askToken() };
  const { signIn } = await import("../client/sign-in.ts");
  const { json = false } = commonOf(command);
  return (await signIn(url, { json, opens: options.browser })) ?? { url, token: await askToken() };
}

async function login(command: Command, options: LoginOptions): Promise<void> {
  const [name, config] = [await nameOf(command), await configOf(command)];
  const profile = await profileOf(command, config, options);
  const { withClient } = await import("../client/with-client.ts");
  const { nickname } = await withClient(profile, async (client) => await client.users.userInfo());
  const { changeProfile, profilesFile } = await import("../profiles/store.ts");
  const former = await changeProfile(name, () => profile);
  if (former !== null) await endOnServer(former).catch(() => false);
  const done = `You are ${printable(nickname)} at ${profile.url}: profile ${printable(name)} in ${profilesFile()}.`;
  printResult(command, { profile: name, url: profile.url, nickname }, () => talkOf(command).done(done));
}

const endOnServer = async (profile: Profile): Promise<boolean> =>
  profile.renewal !== undefined && (await (await import("../client/sign-in.ts")).signOut(profile));

const logoutHelp = `
Ends the sign-in on the server, too. A token that was given to telex login stays valid: end it with telex token revoke, or in the list
of tokens on the pages.

Example:
  $ telex logout --profile work`;

export function defineLogout(command: Command): void {
  settingOptions(command, [settings.profile])
    .addHelpText("after", logoutHelp)
    .action(async () => logout(command));
}

async function logout(command: Command): Promise<void> {
  const name = await nameOf(command);
  const { changeProfile } = await import("../profiles/store.ts");
  // Removed first: no other command can renew the token that is revoked.
  const former = await changeProfile(name, () => null);
  if (former === null) throw new Failure("not_found", `There is no profile "${printable(name)}".`);
  const talk = talkOf(command);
  const ended = await endOnServer(former).catch((error: unknown) => {
    talk.warn(`${messageOf(error)} The sign-in there has not ended: end it in the list of applications on its pages.`);
    return false;
  });
  const rest = ended ? "The sign-in has ended." : "Its token stays valid until it is revoked.";
  const done = `Profile ${printable(name)} is deleted. ${rest}`;
  printResult(command, { profile: name, removed: true, revoked: ended }, () => talk.done(done));
}
