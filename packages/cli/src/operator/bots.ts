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

/** What `telex bot add` was asked for. What is left out is as the server has it. */
export interface BotAdd {
  readonly account: string;
  /** Its name for people. */
  readonly name?: string;
  readonly official: boolean;
  /** `none` for no secret. */
  readonly secret?: string;
  readonly network?: string;
  readonly connect?: string;
  readonly protocol?: 11 | 12;
  /** Milliseconds. */
  readonly minInterval?: number;
}

/** What `telex bot set` changes: what is left out stays. */
export interface BotSet extends Partial<Omit<BotAdd, "account" | "protocol">> {
  readonly account: string;
  readonly protocol?: 11 | 12 | "auto";
}

/** Only what an operation takes: the options of a command also name the storage, and a token of the caller. */
const givenOf = ({ official, network, minInterval }: Partial<BotAdd>) => ({
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

/** `telex bot add`: the secret alone on stdout, so that a shell can keep it in a variable. */
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

/** How an account is, in a word or two. */
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

/** Everything that is known of an account. */
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

/** `telex bot test`: the exit code is 1 if something does not work. */
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
