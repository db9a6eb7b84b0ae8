import type { BotRecord } from "@telex/core";
import { digestOf } from "./doorman.ts";
import { keepForward } from "./forward.ts";
import { keepHttp, type KeptHttp } from "./keep-http.ts";
import type { WebhookAccount } from "./webhook-proof.ts";
import { type Account, createAccount } from "../account/account.ts";
import type { AccountDeps } from "../account/account-deps.ts";
import type { OneBotAccount } from "../account/options.ts";

/** The accounts of an installation: those of its program, and those of its storage. */
interface KeptAccounts {
  readonly list: () => readonly Account[];
  /** True if an account of the program has the secret with this digest. */
  readonly hasSecret: (digest: string) => boolean;
  /** The account with this name, if its implementation posts events; otherwise null. */
  readonly findWebhook: (name: string) => WebhookAccount | null;
  /** Replaces the stored accounts. An unchanged account keeps its connections. */
  keep(bots: readonly BotRecord[]): void;
  /** Connects to the implementations that wait for it, also for accounts that are added later. */
  connect(): void;
  /** Closes all connections. */
  close(): void;
}

interface Entry {
  readonly account: Account;
  /** Null for an account of the program. */
  readonly bot: BotRecord | null;
  isDialed: boolean;
  /** The connection over HTTP, if the account has one. */
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

/** The name is only for people, so a new one ends no connection. */
const servedOf = (bot: BotRecord): string => JSON.stringify({ ...bot, name: null });

const isSame = (a: BotRecord | null, b: BotRecord): boolean => a !== null && servedOf(a) === servedOf(b);

/** @param initial the accounts of the program; a stored one with the same name or secret is not served */
export function createKeptAccounts(initial: readonly OneBotAccount[], deps: AccountDeps): KeptAccounts {
  const own = initial.map((options): Entry => {
    const account = createAccount(options, digestOf(options.token), deps);
    return { account, bot: null, isDialed: false, http: null };
  });
  let stored: readonly Entry[] = [];
  let isConnecting = false;
  const all = (): readonly Entry[] => [...own, ...stored];
  const open = (entry: Entry): void => {
    const { account } = entry;
    const { connect } = account.options;
    if (!isConnecting || connect === undefined || entry.isDialed) return;
    entry.isDialed = true;
    if (/^https?:/i.test(connect)) {
      // Events are posted to any server, so each of them reaches the implementation.
      account.share((standing) => (entry.http = keepHttp(account, connect, { ...deps, standing })));
    } else account.dial((standing) => keepForward(account, connect, { ...deps, standing }));
  };
  const isOwn = ({ account }: BotRecord): boolean => own.some((entry) => entry.account.options.account === account);
  const hasSecret = (digest: string): boolean => own.some(({ account }) => account.digest === digest);
  /** False if another account has the secret: a connection with it could be for either. */
  const isClear = ({ account, digest }: BotRecord): boolean => {
    const isTaken = digest !== null && hasSecret(digest);
    if (isTaken) deps.faults.tell(account, "secret_taken");
    return !isTaken;
  };
  const entryOf = (bot: BotRecord): Entry =>
    stored.find((entry) => isSame(entry.bot, bot)) ?? {
      account: createAccount(optionsOf(bot), bot.digest, deps),
      bot,
      isDialed: false,
      http: null,
    };
  return {
    list: () => all().map(({ account }) => account),
    hasSecret,
    findWebhook(name) {
      const entry = all().find(({ account }) => account.options.account === name);
      return entry === undefined || entry.http === null ? null : { options: entry.account.options, http: entry.http };
    },
    keep(bots) {
      const next = bots.filter((bot) => !isOwn(bot) && isClear(bot)).map(entryOf);
      for (const entry of stored) if (!next.includes(entry)) entry.account.close();
      stored = next;
      next.forEach(open);
    },
    connect() {
      isConnecting = true;
      all().forEach(open);
    },
    close() {
      isConnecting = false;
      for (const { account } of all()) account.close();
    },
  };
}
