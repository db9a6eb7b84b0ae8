import type { Gateway, GatewayLeases, GatewayInbox, GatewayMessage, GatewayOutcome } from "@telex/core";
import type { Account } from "./account/account.ts";
import type { AccountDeps } from "./account/account-deps.ts";
import { createKeptAccounts } from "./connect/kept.ts";
import type { OneBotAccount } from "./account/options.ts";
import type { GatewayAccount } from "./gateway-types.ts";

const shownAs = ({ options, isConnected, isOnline }: Account): GatewayAccount => ({
  account: options.account,
  network: options.network ?? "qq",
  groupTypes: options.isOfficial === true ? [0, 3, 4, 5] : [4, 5],
  isConnected,
  isOnline,
});

/** Sends through accounts, and tracks the sends without an outcome. */
function createSending(find: (name: string) => Account | undefined, { clock }: Pick<AccountDeps, "clock">) {
  const sending = new Set<Promise<unknown>>();
  let isClosing = false;
  const send = async (message: GatewayMessage): Promise<GatewayOutcome> => {
    const sent = isClosing ? undefined : find(message.account)?.send(message);
    if (sent === undefined) return { outcome: "offline" };
    sending.add(sent);
    return sent.finally(() => sending.delete(sent));
  };
  return {
    send,
    /** Sends nothing more, and resolves when everything has its outcome, or at a deadline (Unix milliseconds). */
    drain: async (deadline: number): Promise<void> => {
      isClosing = true;
      const late = Promise.withResolvers<void>();
      const cancel = clock.after(Math.max(0, deadline - clock.now()), () => late.resolve());
      await Promise.race([Promise.allSettled(sending), late.promise]).finally(cancel);
    },
  };
}

/** The accounts of an installation, as one gateway. */
export function createBotGateway(initial: readonly OneBotAccount[], deps: Omit<AccountDeps, "inbox" | "leases">) {
  let inbox: GatewayInbox | null = null;
  let leases: GatewayLeases | null = null;
  const accounts = createKeptAccounts(initial, { ...deps, inbox: () => inbox, leases: () => leases });
  const find = (name: string | null): Account | undefined =>
    accounts
      .list()
      .find(({ options: { account, isOfficial } }) => (name === null ? isOfficial === true : account === name));
  const sending = createSending(find, deps);

  const gateway: Gateway = {
    name: "onebot",
    findAccount(name) {
      const account = find(name);
      return account === undefined ? null : shownAs(account);
    },
    listAccounts: () => accounts.list().map(shownAs),
    keepAccounts: (bots) => accounts.keep(bots),
    hasSecret: accounts.hasSecret,
    async start(opened, found) {
      inbox = opened;
      leases = found;
      accounts.connect();
    },
    send: sending.send,
    check: async (account) => (await find(account)?.check()) ?? [],
    recall: async (recall) => (await find(recall.account)?.recall(recall)) ?? false,
    react: async (reaction) => (await find(reaction.account)?.react(reaction)) ?? { outcome: "offline" },
    listMembers: async ({ account, room }) => (await find(account)?.listMembers(room)) ?? [],
    findMember: async ({ account, room, ext }) => (await find(account)?.findMember(room, ext)) ?? null,
    async close() {
      inbox = null;
      accounts.close();
    },
  };
  return {
    gateway,
    accounts: accounts.list,
    findWebhook: accounts.findWebhook,
    isRunning: () => inbox !== null,
    drain: sending.drain,
  };
}
