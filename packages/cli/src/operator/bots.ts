import type { BotView } from "@telex/core";
import type { Command } from "commander";
import { talkOf } from "../command.ts";
import { confirm } from "../confirm.ts";
import { Failure, UsageError } from "../errors.ts";
import { print, printable, printFields, printRows } from "../output.ts";
import { adviceFor } from "./bot-advice.ts";
import { operate } from "./operate.ts";

/** What `telex bot add` was asked for. What is left out is as the server has it. */
export interface BotAdd {
  readonly account: string;
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

const show = ({ account, network, groupTypes, connect, protocol, minInterval }: BotView): void =>
  printFields({ account, network, rooms: groupTypes.join(" "), connect, protocol, "min interval": minInterval });

const addedOf = ({ account, secret, connect, protocol, ...rest }: BotAdd) => ({
  account,
  ...givenOf(rest),
  ...secretOf(secret),
  ...(connect !== undefined && { connect }),
  ...(protocol !== undefined && { protocol }),
});

/** `telex bot add`: the secret alone on stdout, so that a shell can keep it in a variable. */
export async function addBot(command: Command, bot: BotAdd): Promise<void> {
  await operate(
    command,
    async ({ bots }) => await bots.add(addedOf(bot)),
    ({ account, token, connect }) => {
      const talk = talkOf(command);
      if (token === null) talk.warn(`Everybody who reaches the server can connect as ${account}: it has no secret.`);
      else print(token);
      const next =
        connect === null ? "Enter the secret in its settings; it is not shown again." : `Telex connects to ${connect}.`;
      talk.done(`Account ${account} is added. ${next}`);
    },
    "add",
  );
}

/** `telex bot set` */
export async function setBot(command: Command, { account, secret, connect, protocol, ...rest }: BotSet): Promise<void> {
  const whole = {
    ...givenOf(rest),
    ...secretOf(secret),
    ...(connect !== undefined && { connect: connect === "" ? null : connect }),
    ...(protocol !== undefined && { protocol: protocol === "auto" ? null : protocol }),
  };
  if (Object.keys(whole).length === 0) {
    throw new UsageError(
      "Say what to change: --secret, --official, --network, --connect, --protocol or --min-interval.",
    );
  }
  await operate(command, async ({ bots }) => await bots.amend({ account, ...whole }), show);
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

/** `telex bot show` */
export async function showBot(command: Command, account: string): Promise<void> {
  await operate(
    command,
    async ({ bots }) => {
      const bot = (await bots.list()).find((one) => one.account === account);
      if (bot === undefined)
        throw new Failure("not_found", `There is no account ${account}. "telex bot list" shows them all.`);
      return bot;
    },
    (bot) => {
      const { gateway, network, ext, groupTypes, connect, server, since, version, implementation, problem } = bot;
      printFields({
        account,
        state: stateOf(bot),
        since,
        server,
        problem: problem === null ? null : `${problem.text} (${problem.at})`,
        "what to do": adviceFor(bot),
        "ID in the network": ext,
        network,
        OneBot: version ?? bot.protocol,
        program: implementation,
        gateway,
        rooms: groupTypes.join(" "),
        connect,
        "min interval": bot.minInterval,
      });
    },
  );
}

/** `telex bot test`: the exit code is 1 if something does not work. */
export async function testBot(command: Command, account: string): Promise<void> {
  talkOf(command).detail(`The server that has the connection of ${account} tries it; that takes up to 20 s.`);
  await operate(
    command,
    async ({ bots }) => {
      const tested = await bots.test({ account });
      if (!tested.ok) process.exitCode = 1;
      return tested;
    },
    ({ server, checks }) => {
      for (const { name, ok, detail } of checks)
        print(`${ok ? "ok  " : "FAIL"}  ${name.padEnd(10)}  ${printable(detail)}`);
      if (server !== null) talkOf(command).note(`Tried by the server ${server}.`);
    },
  );
}
