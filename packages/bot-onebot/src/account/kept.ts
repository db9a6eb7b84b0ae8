import type { BotRecord } from "@telex/core";
import { digestOf } from "../link/doorman.ts";
import { keepForward } from "../link/forward.ts";
import { keepHttp, type KeptHttp } from "../link/keep-http.ts";
import type { Kept } from "../link/keep-socket.ts";
import type { WebhookAccount } from "../link/webhooks.ts";
import { type Account, type AccountDeps, createAccount } from "./account.ts";
import type { OneBotAccount } from "./options.ts";

/** The accounts of an installation: those of its program, and those of its storage. */
interface KeptAccounts {
  readonly list: () => readonly Account[];
  /** The account with this name, if its implementation posts events; otherwise null. */
  readonly findWebhook: (name: string) => WebhookAccount | null;
  /** These are the stored accounts from now on. One that has not changed keeps its connections. */
  keep(bots: readonly BotRecord[]): void;
  /** Connects to the implementations that wait for it, from now on also of accounts that come later. */
  connect(): void;
  /** Closes all connections. */
  close(): void;
}

/** An account, and its own connection if Telex connects to it. */
interface Entry {
  readonly account: Account;
  readonly bot: BotRecord | null;
  forward: Kept | null;
  /** The same, if it is over HTTP. */
  http: KeptHttp | null;
}

const optionsOf = ({
  account,
  network,
  official,
  secret,
  connect,
  protocol,
  minInterval,
}: BotRecord): OneBotAccount => ({
  account,
  token: secret,
  isOfficial: official,
  network,
  minInterval,
  ...(connect !== null && { connect }),
  ...((protocol === 11 || protocol === 12) && { protocol }),
});

const isSame = (a: BotRecord | null, b: BotRecord): boolean => JSON.stringify(a) === JSON.stringify(b);

function end({ account, forward }: Entry): void {
  forward?.stop();
  account.close();
}

/** @param given the accounts of the program; a stored one with the same name is not served */
export function createKeptAccounts(given: readonly OneBotAccount[], deps: AccountDeps): KeptAccounts {
  const own = given.map((options): Entry => {
    return { account: createAccount(options, digestOf(options.token), deps), bot: null, forward: null, http: null };
  });
  let stored: readonly Entry[] = [];
  let isConnecting = false;
  const all = (): readonly Entry[] => [...own, ...stored];
  const open = (entry: Entry): void => {
    const { connect } = entry.account.options;
    if (!isConnecting || connect === undefined) return;
    if (/^https?:/i.test(connect)) entry.forward = entry.http ??= keepHttp(entry.account, connect, deps);
    else entry.forward ??= keepForward(entry.account, connect, deps);
  };
  const isOwn = ({ account }: BotRecord): boolean => own.some((entry) => entry.account.options.account === account);
  const entryOf = (bot: BotRecord): Entry =>
    stored.find((entry) => isSame(entry.bot, bot)) ?? {
      account: createAccount(optionsOf(bot), bot.digest, deps),
      bot,
      forward: null,
      http: null,
    };
  return {
    list: () => all().map(({ account }) => account),
    findWebhook(name) {
      const entry = all().find(({ account }) => account.options.account === name);
      return entry === undefined || entry.http === null ? null : { options: entry.account.options, http: entry.http };
    },
    keep(bots) {
      const next = bots.filter((bot) => !isOwn(bot)).map(entryOf);
      for (const entry of stored) if (!next.includes(entry)) end(entry);
      stored = next;
      next.forEach(open);
    },
    connect() {
      isConnecting = true;
      all().forEach(open);
    },
    close() {
      isConnecting = false;
      all().forEach(end);
    },
  };
}
