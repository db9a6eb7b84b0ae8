import type { BotView } from "@telex/core";
import type { Command } from "commander";
import { talkOf } from "../command.ts";
import { confirm } from "../confirm.ts";
import { UsageError } from "../errors.ts";
import { print, printable, printFields, printRows } from "../output.ts";
import { operate, type OperatorPlace } from "./operate.ts";

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

const secretOf = (secret: string | undefined): { secret?: string | null } =>
  secret === undefined ? {} : { secret: secret === "none" ? null : secret };

const show = ({ account, network, groupTypes, connect, protocol, minInterval }: BotView): void =>
  printFields({ account, network, rooms: groupTypes.join(" "), connect, protocol, "min interval": minInterval });

/** `telex bot add`: the secret alone on stdout, so that a shell can keep it in a variable. */
export async function addBot(command: Command, { secret, ...bot }: BotAdd): Promise<void> {
  await operate(
    command,
    async ({ bots }) => await bots.add({ ...bot, ...secretOf(secret) }),
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
export async function setBot(
  command: Command,
  { account, secret, connect, protocol, ...change }: BotSet,
): Promise<void> {
  const whole = {
    ...change,
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

function showList(command: Command, bots: readonly BotView[], { isRemote }: OperatorPlace): void {
  // Only the server that has the connections knows them.
  const state = (is: boolean): boolean | null => (isRemote ? is : null);
  printRows(bots, {
    account: ({ account }) => account,
    network: ({ network }) => network,
    gateway: ({ gateway }) => gateway,
    rooms: ({ groupTypes }) => groupTypes.join(" "),
    connect: ({ connect }) => connect,
    connected: ({ connected }) => state(connected),
    online: ({ online }) => state(online),
  });
  if (!isRemote) talkOf(command).note("Connections are known to the running server alone: ask it with --url.");
}

/** `telex bot list` */
export async function listBots(command: Command): Promise<void> {
  await operate(
    command,
    async ({ bots }) => await bots.list(),
    (bots, place) => showList(command, bots, place),
  );
}
