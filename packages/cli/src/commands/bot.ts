import type { Command } from "commander";
import { operatorCommand } from "../options/command.ts";
import { confirmed } from "../options/confirm.ts";
import { readChoice, readInterval } from "../options/read.ts";
import { defineBotSimulate } from "./bot-simulate.ts";

const load = async () => await import("../operator/bots.ts");

/** `telex bot` */
export function defineBot(command: Command): void {
  defineAdd(command.command("add"));
  operatorCommand(command.command("list"), "List the accounts of external networks").action(
    async (_options: object, list: Command) => (await load()).listBots(list),
  );
  defineShow(command.command("show"));
  defineTest(command.command("test"));
  defineSet(command.command("set"));
  defineRemove(command.command("remove"));
  defineBotSimulate(command.command("simulate"));
}

interface AccountOptions {
  readonly name?: string;
  readonly secret?: string;
  readonly network?: string;
  readonly connect?: string;
  readonly protocol?: 11 | 12;
  readonly minInterval?: number;
}

const addHelp = `
Without --secret, a secret is created and printed. Enter it in the settings of the bot, with the address
wss://<this server>/onebot as reverse WebSocket.

Example:
  telex bot add 10001 --name "Tea room" --official`;

const readProtocol = readChoice([11, 12]);

/** A command that works on one account. */
const accountCommand = (command: Command, description: string): Command =>
  operatorCommand(command, description).argument("<account>", "name of the account in Telex");

/** The options that `add` and `set` share. */
const accountOptions = (command: Command): Command =>
  command
    .option("--secret <text>", 'secret that the bot must send when it connects; "none" for no secret')
    .option("--network <name>", "name of the network")
    .option(
      "--min-interval <time>",
      "minimum time between the starts of two messages, such as 1200ms or 2s",
      readInterval,
    );

function defineAdd(command: Command): void {
  accountOptions(operatorCommand(command, "Add an account of an external network"))
    .argument("<account>", "name of the account in Telex, such as its ID in the network")
    .option("--name <name>", "name for people, 1 to 64 characters")
    .option("--official", "serve rooms of the types 0 and 3, too")
    .option("--connect <url>", "ws:// or http:// address of a bot that waits for Telex")
    .option("--protocol <version>", "version of OneBot: 11 or 12", readProtocol)
    .addHelpText("after", addHelp)
    .action(async (account: string, options: AccountOptions & { readonly official?: boolean }) => {
      const { official = false, name, secret, network, connect, protocol, minInterval } = options;
      const bot = { account, official, name, secret, network, connect, protocol, minInterval };
      await (await load()).addBot(command, bot);
    });
}

function defineShow(command: Command): void {
  accountCommand(command, "Show an account of an external network: its state, and why it is not online").action(
    async (account: string) => (await load()).showBot(command, account),
  );
}

function defineTest(command: Command): void {
  accountCommand(command, "Test an account on the running server: its connection, identity and actions").action(
    async (account: string) => (await load()).testBot(command, account),
  );
}

interface SetOptions extends Omit<AccountOptions, "protocol"> {
  readonly official?: boolean;
  readonly connect?: string;
  readonly protocol?: 11 | 12 | "auto";
}

function defineSet(command: Command): void {
  accountOptions(accountCommand(command, "Change an account of an external network"))
    .option("--name <name>", 'name for people, 1 to 64 characters; "" for none')
    .option("--official", "serve rooms of the types 0 and 3, too")
    .option("--no-official", "serve rooms of the types 4 and 5 only")
    .option("--connect <url>", 'ws:// or http:// address of a bot that waits for Telex; "" if the bot connects')
    .option("--protocol <version>", "version of OneBot: 11, 12 or auto", readChoice([11, 12, "auto"]))
    .action(async (account: string, options: SetOptions) => {
      const { official, name, secret, network, connect, protocol, minInterval } = options;
      const bot = { account, official, name, secret, network, connect, protocol, minInterval };
      await (await load()).setBot(command, bot);
    });
}

function defineRemove(command: Command): void {
  confirmed(accountCommand(command, "Remove an account of an external network; its rooms stay")).action(
    async (account: string) => (await load()).removeBot(command, account),
  );
}
