import type { BotRecord } from "@telex/core";
import { digestOf } from "../link/doorman.ts";
import { keepForward } from "../link/forward.ts";
import type { Kept } from "../link/keep-socket.ts";
import { type Account, type AccountDeps, createAccount } from "./account.ts";
import type { OneBotAccount } from "./options.ts";

/** The accounts of an installation: those of its program, and those of its storage. */
interface KeptAccounts {
  readonly list: () => readonly Account[];
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
    return { account: createAccount(options, digestOf(options.token), deps), bot: null, forward: null };
  });
  let stored: readonly Entry[] = [];
  let isConnecting = false;
  const all = (): readonly Entry[] => [...own, ...stored];
  const open = (entry: Entry): void => {
    const { connect } = entry.account.options;
    if (isConnecting && connect !== undefined) entry.forward ??= keepForward(entry.account, connect, deps);
  };
  const isOwn = ({ account }: BotRecord): boolean => own.some((entry) => entry.account.options.account === account);
  const entryOf = (bot: BotRecord): Entry =>
    stored.find((entry) => isSame(entry.bot, bot)) ?? {
      account: createAccount(optionsOf(bot), bot.digest, deps),
      bot,
      forward: null,
    };
  return {
    list: () => all().map(({ account }) => account),
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
