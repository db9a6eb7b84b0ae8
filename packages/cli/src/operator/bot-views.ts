import type { BotView } from "@telex/core";
import type { OperatorClient } from "@telex/http/client";
import { print, printFields, printRows } from "../terminal/output.ts";
import type { Talk } from "../terminal/talk.ts";
import { adviceFor } from "./bot-advice.ts";
import { type BotAdd, givenOf, secretOf } from "./bot-fields.ts";

export const show = ({ account, name, network, groupTypes, connect, protocol, minInterval }: BotView): void =>
  printFields({ account, name, network, rooms: groupTypes.join(" "), connect, protocol, "min interval": minInterval });

export const addedOf = ({ account, name, secret, connect, protocol, ...rest }: BotAdd) => ({
  account,
  ...(name !== undefined && { name }),
  ...givenOf(rest),
  ...secretOf(secret),
  ...(connect !== undefined && { connect }),
  ...(protocol !== undefined && { protocol }),
});

export type Added = Awaited<ReturnType<OperatorClient["bots"]["add"]>>;

export function showAdded({ account, token, connect }: Added, talk: Talk): void {
  if (token === null) talk.warn(`Anyone who reaches the server can connect as ${account}: it has no secret.`);
  else print(token);
  const next =
    connect === null ? "Enter the secret in its settings; it is not shown again." : `Telex connects to ${connect}.`;
  talk.done(`Account ${account} is added. ${next}`);
}

/** The state of an account in one or two words. */
function stateOf({ connected, online, since, server }: BotView): string {
  if (online) return "online";
  if (connected) return "signed out";
  if (server !== null) return "connecting";
  return since === null ? "never seen" : "offline";
}

export const showList = (bots: readonly BotView[]): void =>
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

/** All fields of an account. */
export const showAll = (bot: BotView): void =>
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
