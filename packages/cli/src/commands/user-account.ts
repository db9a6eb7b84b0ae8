import { type Command, InvalidArgumentError } from "commander";
import { operatorCommand, storageSettings } from "../options/command.ts";
import { gather, type Page, pageOptions, readDuration, readInteger } from "../options/read.ts";
import { settings } from "../settings/table.ts";

const load = async () => await import("../operator/accounts.ts");

const readId = readInteger(1);

/** `telex user accounts`, `invite`, `import`, `passwd`, `role` and `unlink` */
export function defineUserAccount(command: Command): void {
  defineAccounts(command.command("accounts"));
  defineInvite(command.command("invite"));
  defineImport(command.command("import"));
  definePasswd(command.command("passwd"));
  defineRole(command.command("role"));
  defineUnlink(command.command("unlink"));
}

function defineAccounts(command: Command): void {
  pageOptions(operatorCommand(command, "List accounts by user id, with usernames and roles"), "accounts").action(
    async (page: Page) => (await load()).listAccounts(command, page),
  );
}

interface InviteOptions {
  readonly nickname?: string;
  readonly group?: readonly string[];
  readonly uses: number;
  readonly life?: number;
}

const week = 7 * 86_400_000;

const inviteHelp = `
Prints a link. The person who opens it chooses a username and a password, and joins the rooms of the invitation.

Example:
  $ telex user invite --group 1 --group 2 --uses 10`;

function defineInvite(command: Command): void {
  const places = [...storageSettings, settings.baseUrl, settings.port, settings.registration];
  operatorCommand(command, "Create a link with which people open an account", places)
    .option("--nickname <text>", "name that the page proposes")
    .option("--group <id>", "room to join; can be given several times", gather)
    .option("--uses <n>", "accounts that can be opened with it, 1 to 1000", readInteger(1, 1000), 1)
    .option("--life <time>", "how long it can be used, such as 12h or 7d [7d]", readDuration)
    .addHelpText("after", inviteHelp)
    .action(async ({ nickname, group = [], uses, life = week }: InviteOptions) =>
      (await load()).invite(command, { nickname, groups: group, uses, life }),
    );
}

const importHelp = `
The file is a table with the columns username and nickname, separated by commas, semicolons or tabs, of at most 1,000 people.
Prints for each person a link with which they choose a password within a week. Run it again with the same file: it opens no
account twice, and makes new links for those who have not signed in. Outcomes: new, waiting (has not signed in), known, and
username, twice, gone, no_username, too_long or too_many for lines that are refused.

Example:
  $ telex user import people.csv --dry-run`;

interface ImportOptions {
  readonly dryRun?: boolean;
  readonly skipRefused?: boolean;
}

function defineImport(command: Command): void {
  const places = [...storageSettings, settings.baseUrl, settings.port];
  operatorCommand(command, "Open accounts for many people, from a table", places)
    .argument("<file>", "CSV with the columns username and nickname")
    .option("--dry-run", "change nothing, and report what would happen")
    .option("--skip-refused", "import the other lines if some are refused; by default none is imported then")
    .addHelpText("after", importHelp)
    .action(async (file: string, { dryRun = false, skipRefused = false }: ImportOptions) => {
      const { importPeople } = await import("../operator/import-people.ts");
      await importPeople(command, { file, isTrial: dryRun, skipsRefused: skipRefused });
    });
}

const passwdHelp = `
Asks for the password on a terminal, and otherwise reads the first line of stdin. Works in a shell on the server only.

Example:
  $ telex user passwd 3
  $ telex user passwd 4 --username bob     an account for a user without one`;

function definePasswd(command: Command): void {
  operatorCommand(command, "Set the password of an account, and sign its browsers out")
    .argument("<id>", "user id", readId)
    .option("--username <name>", "open an account with this name for a user without one")
    .addHelpText("after", passwdHelp)
    .action(async (id: number, { username }: { readonly username?: string }) =>
      (await load()).setPassword(command, id, username),
    );
}

function readRole(written: string): "admin" | "none" {
  if (written === "admin" || written === "none") return written;
  throw new InvalidArgumentError("It must be admin or none.");
}

function defineRole(command: Command): void {
  operatorCommand(command, "Make an account an admin, or remove the role")
    .argument("<id>", "user id", readId)
    .argument("<role>", "admin or none", readRole)
    .option("--force", "also the last active admin; not with --url")
    .action(async (id: number, role: "admin" | "none", { force = false }: { readonly force?: boolean }) =>
      (await load()).setRole(command, id, { role: role === "admin" ? "admin" : null, force }),
    );
}

function defineUnlink(command: Command): void {
  operatorCommand(command, "Remove the identity that an account has at another provider")
    .argument("<id>", "user id", readId)
    .argument("<issuer>", "address of the provider")
    .action(async (id: number, issuer: string) => (await load()).unlink(command, id, issuer));
}

/** `telex session` */
export function defineSession(command: Command): void {
  defineList(command.command("list"));
  defineEnd(command.command("end"));
}

function defineList(command: Command): void {
  operatorCommand(command, "List the browsers that are signed in to an account")
    .argument("<user>", "user id", readId)
    .action(async (user: number) => (await load()).listSessions(command, user));
}

function defineEnd(command: Command): void {
  operatorCommand(command, "Sign a browser out, or all browsers of an account; sockets are closed within a second")
    .argument("<user>", "user id", readId)
    .argument("[session]", "id of the session; all without it")
    .action(async (user: number, session: string | undefined) => (await load()).endSessions(command, user, session));
}
