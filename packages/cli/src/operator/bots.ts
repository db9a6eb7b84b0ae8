import type { BotView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import type { Command } from "commander";
import { talkOf } from "../options/command.ts";
import { confirm } from "../options/confirm.ts";
import { Failure, UsageError } from "../errors/errors.ts";
import { print, printable, printFields, printRows } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { adviceFor } from "./bot-advice.ts";
import { operate } from "./operate.ts";

/** The account that `telex bot add` adds. The server has a default for each undefined field. */
export interface BotAdd extends BotFields {
  readonly official: boolean;
  readonly protocol: 11 | 12 | undefined;
}

/** The changes of `telex bot set`. Undefined fields stay as they are. */
export interface BotSet extends BotFields {
  readonly official: boolean | undefined;
  readonly protocol: 11 | 12 | "auto" | undefined;
}

interface BotFields {
  readonly account: string;
  /** The name for people. */
  readonly name: string | undefined;
  /** `none` for no secret. */
  readonly secret: string | undefined;
  readonly network: string | undefined;
  readonly connect: string | undefined;
  /** Milliseconds. */
  readonly minInterval: number | undefined;
}

const givenOf = ({ official, network, minInterval }: Pick<BotSet, "official" | "network" | "minInterval">) => ({
  ...(official !== undefined && { official }),
  ...(network !== undefined && { network }),
  ...(minInterval !== undefined && { minInterval }),
});

const secretOf = (secret: string | undefined): { secret?: string | null } =>
  secret === undefined ? {} : { secret: secret === "none" ? null : secret };

const show = ({ account, name, network, groupTypes, connect, protocol, minInterval }: BotView): void =>
  printFields({ account, name, network, rooms: groupTypes.join(" "), connect, protocol, "min interval": minInterval });

const addedOf = ({ account, name, secret, connect, protocol, ...rest }: BotAdd) => ({
  account,
  ...(name !== undefined && { name }),
  ...givenOf(rest),
  ...secretOf(secret),
  ...(connect !== undefined && { connect }),
  ...(protocol !== undefined && { protocol }),
});

type Added = Awaited<ReturnType<OperatorClient["bots"]["add"]>>;

function showAdded({ account, token, connect }: Added, talk: Talk): void {
  if (token === null) talk.warn(`Everybody who reaches the server can connect as ${account}: it has no secret.`);
  else print(token);
  const next =
    connect === null ? "Enter the secret in its settings; it is not shown again." : `Telex connects to ${connect}.`;
  talk.done(`Account ${account} is added. ${next}`);
}

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
      await bots.remove({ account });
      return { account, removed: true };
    },
    (removed) => talkOf(command).done(`Account ${removed.account} is removed.`),
  );
}

/** The state of an account in one or two words. */
function stateOf({ connected, online, since, server }: BotView): string {
  if (online) return "online";
  if (connected) return "signed out";
  if (server !== null) return "connecting";
  return since === null ? "never seen" : "offline";
}

const showList = (bots: readonly BotView[]): void =>
  printRows(bots, {
    account: ({ account }) => account,
    name: ({ name }) => name,
    network: ({ network }) => network,
    rooms: ({ groupTypes }) => groupTypes.join(" "),
    state: stateOf,
    since: ({ since }) => since,
    server: ({ server }) => server,
    OneBot: ({ version }) => version,
    problem: ({ problem }) => problem?.code ?? null,
  });

/** `telex bot list` */
export async function listBots(command: Command): Promise<void> {
  await operate(command, async ({ bots }) => await bots.list(), showList);
}

async function findBot({ bots }: OperatorClient, account: string): Promise<BotView> {
  const bot = (await bots.list()).find((one) => one.account === account);
  if (bot !== undefined) return bot;
  throw new Failure("not_found", `There is no account ${account}. "telex bot list" shows them all.`);
}

/** All fields of an account. */
const showWhole = (bot: BotView): void =>
  printFields({
    account: bot.account,
    name: bot.name,
    state: stateOf(bot),
    since: bot.since,
    server: bot.server,
    problem: bot.problem === null ? null : `${bot.problem.text} (${bot.problem.at})`,
    "what to do": adviceFor(bot),
    "ID in the network": bot.ext,
    network: bot.network,
    OneBot: bot.version ?? bot.protocol,
    program: bot.implementation,
    gateway: bot.gateway,
    rooms: bot.groupTypes.join(" "),
    connect: bot.connect,
    "min interval": bot.minInterval,
  });

/** `telex bot show` */
export async function showBot(command: Command, account: string): Promise<void> {
  await operate(command, async (operations) => await findBot(operations, account), showWhole);
}

type Tested = Awaited<ReturnType<OperatorClient["bots"]["test"]>>;

function showTest({ server, checks }: Tested, talk: Talk): void {
  for (const { name, ok, detail } of checks) print(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(10)}  ${printable(detail)}`);
  if (server !== null) talk.note(`Tried by the server ${server}.`);
}

/** `telex bot test`. The exit code is 1 if a check fails. */
export async function testBot(command: Command, account: string): Promise<void> {
  const talk = talkOf(command);
  talk.detail(`The server that has the connection of ${account} tries it; that takes up to 20 s.`);
  const test = async ({ bots }: OperatorClient): Promise<Tested> => {
    const tested = await bots.test({ account });
    if (!tested.ok) process.exitCode = 1;
    return tested;
  };
  await operate(command, test, (tested) => showTest(tested, talk));
}
