import type { Command } from "commander";
import { UsageError } from "../errors/errors.ts";
import { operatorCommand } from "../options/command.ts";
import { confirmed } from "../options/confirm.ts";
import { type Page, pageOptions, readProtocol, readToggle } from "../options/read.ts";
import { defineUserAccount } from "./user-account.ts";

/** `telex user` */
export function defineUser(command: Command): void {
  defineAdd(command.command("add"));
  defineList(command.command("list"));
  defineShow(command.command("show"));
  defineSet(command.command("set"));
  defineSuspend(command.command("suspend"));
  defineResume(command.command("resume"));
  defineRemove(command.command("remove"));
  defineUserAccount(command);
}

/** A command that works on one user. */
const userCommand = (command: Command, description: string): Command =>
  operatorCommand(command, description).argument("<id>", "user id");

const load = async () => await import("../operator/users.ts");

interface AddOptions {
  readonly ext?: string;
  readonly phone?: string;
  readonly ai?: string;
  readonly issueToken?: boolean;
  readonly admin?: boolean;
  readonly username?: string;
}

/** Adds a user with an account. The account takes no options of users without one. */
async function addAdmin(command: Command, nickname: string, { username = nickname, ...others }: AddOptions) {
  const refused = (["ext", "phone", "ai", "issueToken"] as const).find((name) => others[name] !== undefined);
  if (refused !== undefined) throw new UsageError("--admin takes no option but --username.");
  await (await import("../operator/accounts.ts")).addAdmin(command, nickname, username);
}

function defineAdd(command: Command): void {
  operatorCommand(command, "Add a user")
    .argument("<nickname>", "1 to 64 characters")
    .option("--ext <id>", "ID in the external network")
    .option("--phone <number>", "phone number")
    .option("--ai <model>", "AI model that replies as this user when it is mentioned in a room")
    .option("--issue-token", "also issue a token with the scope chat, and print it once")
    .option("--admin", "with an account that is an admin; reads its password as user passwd does, not with --url")
    .option("--username <name>", "username of the admin; by default the nickname")
    .action(async (nickname: string, options: AddOptions) => {
      if (options.admin === true) return await addAdmin(command, nickname, options);
      const { ext, phone, ai, issueToken = false } = options;
      await (await load()).addUser(command, { nickname, ext, phone, ai, issueToken });
    });
}

function defineList(command: Command): void {
  pageOptions(operatorCommand(command, "List users by id"), "users").action(async (page: Page) =>
    (await load()).listUsers(command, page),
  );
}

function defineShow(command: Command): void {
  userCommand(command, "Show one user").action(async (id: string) => (await load()).showUser(command, id));
}

interface SetOptions {
  readonly nickname?: string;
  readonly ext?: string;
  readonly phone?: string;
  readonly avatar?: string;
  readonly ai?: string;
  readonly onebot?: boolean;
  readonly onebotConnect?: string;
  readonly onebotSecret?: string;
  readonly onebotProtocol?: 11 | 12;
  readonly onebotSelf?: boolean;
}

const oneBotHelp = `
--onebot on lets programs that speak OneBot act as the user: they connect to ws://<host>/external/api/v1/onebot/v11 (or v12)
with a token of the user with the scope chat. With --onebot-connect the server connects to such a program.

Example:
  $ telex user set 3 --onebot on
  $ telex user set 3 --onebot-connect ws://127.0.0.1:8080/onebot/v11/ws --onebot-secret a-secret`;

function defineSet(command: Command): void {
  userCommand(command, "Change a user")
    .option("--nickname <text>", "1 to 64 characters")
    .option("--ext <id>", 'ID in the external network; "" removes it')
    .option("--phone <number>", 'phone number; "" removes it')
    .option("--avatar <file>", 'picture to store and show; "" removes it')
    .option("--ai <model>", 'AI model that replies as this user; "" removes it')
    .option("--onebot <on|off>", "programs that speak OneBot can act as the user", readToggle)
    .option("--onebot-connect <url>", 'address of such a program, to which the server connects; "" removes it')
    .option("--onebot-secret <text>", 'access token that the server sends there; "" for none')
    .option("--onebot-protocol <11|12>", "version of OneBot there, 11 by default", readProtocol)
    .option("--onebot-self <on|off>", "also report the user's own messages", readToggle)
    .addHelpText("after", oneBotHelp)
    .action(async (id: string, options: SetOptions) => {
      const { nickname, ext, phone, avatar, ai } = options;
      const oneBot = {
        isOn: options.onebot,
        connect: options.onebotConnect,
        secret: options.onebotSecret,
        protocol: options.onebotProtocol,
        self: options.onebotSelf,
      };
      await (await load()).setUser(command, { id, nickname, ext, phone, avatar, ai, oneBot });
    });
}

const force = ["--force", "also the last active admin; not with --url"] as const;

interface EndOptions {
  readonly force?: boolean;
}

const suspendHelp = `
Ends the user's sessions and connections within a second. The user's tokens are refused until telex user resume. Their messages,
rooms and devices stay.

Example:
  $ telex user suspend 3`;

function defineSuspend(command: Command): void {
  userCommand(command, "Suspend a user: tokens do not work, and sign-in is refused")
    .option(...force)
    .addHelpText("after", suspendHelp)
    .action(async (id: string, options: EndOptions) =>
      (await load()).suspendUser(command, { id, force: options.force ?? false }),
    );
}

function defineResume(command: Command): void {
  userCommand(command, "Resume a suspended user: the tokens work again").action(async (id: string) =>
    (await load()).resumeUser(command, id),
  );
}

const removeHelp = `
Ends the user's tokens and connections, removes the user from rooms, and deletes their devices and AI conversations.
Their messages stay in the rooms. The id is never used again.

Example:
  $ telex user remove 3`;

function defineRemove(command: Command): void {
  confirmed(userCommand(command, "Remove a user; their messages stay"))
    .option(...force)
    .addHelpText("after", removeHelp)
    .action(async (id: string, options: EndOptions) =>
      (await load()).removeUser(command, { id, force: options.force ?? false }),
    );
}
