import type { BotView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { talkOf } from "../options/command.ts";
import { confirm } from "../options/confirm.ts";
import { Failure, UsageError } from "../errors/errors.ts";
import { explained } from "../errors/explain.ts";
import { print, printable } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { operate } from "./operate.ts";
import { show, addedOf, type Added, showAdded, showList, showAll } from "./bot-views.ts";
import { type BotAdd, type BotSet, givenOf, secretOf } from "./bot-fields.ts";

/** `telex bot add`. Stdout contains only the secret, so that a shell can store it in a variable. */
export async function addBot(command: Command, bot: BotAdd): Promise<void> {
  const tell = (added: Added): void => showAdded(added, talkOf(command));
  await operate(command, async ({ bots }) => await bots.add(addedOf(bot)), tell, "add");
}

const changeOf = ({ name, secret, connect, protocol, ...rest }: Omit<BotSet, "account">) => ({
  ...(name !== undefined && { name: name === "" ? null : name }),
  ...givenOf(rest),
  ...secretOf(secret),
  ...(connect !== undefined && { connect: connect === "" ? null : connect }),
  ...(protocol !== undefined && { protocol: protocol === "auto" ? null : protocol }),
});

const changeable = "--name, --secret, --official, --network, --connect, --protocol or --min-interval";

/** `telex bot set` */
export async function setBot(command: Command, { account, ...asked }: BotSet): Promise<void> {
  const change = changeOf(asked);
  if (Object.keys(change).length === 0) throw new UsageError(`Say what to change: ${changeable}.`);
  await operate(command, async ({ bots }) => await bots.amend({ account, ...change }), show);
}

/** `telex bot remove` */
export async function removeBot(command: Command, account: string): Promise<void> {
  await operate(
    command,
    async ({ bots }) => {
      await confirm(command, `Remove account ${printable(account)}? Its rooms stay.`);
      await explained(bots.remove({ account }), "not_found", missingBot(account));
      return { account, removed: true };
    },
    (removed) => talkOf(command).done(`Account ${removed.account} is removed.`),
  );
}

/** `telex bot list` */
export async function listBots(command: Command): Promise<void> {
  await operate(command, async ({ bots }) => await bots.list(), showList);
}

const missingBot = (account: string): string =>
  `There is no account "${printable(account)}". "telex bot list" shows all accounts.`;

async function findBot({ bots }: OperatorClient, account: string): Promise<BotView> {
  const bot = (await bots.list()).find((one) => one.account === account);
  if (bot !== undefined) return bot;
  throw new Failure("not_found", missingBot(account));
}

/** `telex bot show` */
export async function showBot(command: Command, account: string): Promise<void> {
  await operate(command, async (operations) => await findBot(operations, account), showAll);
}

type Tested = Awaited<ReturnType<OperatorClient["bots"]["test"]>>;

function showTest({ server, checks }: Tested, talk: Talk): void {
  for (const { name, ok, detail } of checks) print(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(10)}  ${printable(detail)}`);
  if (server !== null) talk.note(`Tested by the server ${server}.`);
}

/** `telex bot test`. The exit code is 1 if a check fails. */
export async function testBot(command: Command, account: string): Promise<void> {
  const talk = talkOf(command);
  talk.detail(`The server that has the connection of ${account} tests it, which takes up to 20 s.`);
  const test = async ({ bots }: OperatorClient): Promise<Tested> => {
    const tested = await bots.test({ account });
    if (!tested.ok) process.exitCode = 1;
    return tested;
  };
  await operate(command, test, (tested) => showTest(tested, talk));
}
