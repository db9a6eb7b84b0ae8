import { createHash } from "node:crypto";
import { z } from "zod";
import type { Account } from "../account/account.ts";
import type { OneBotAccount } from "../account/options.ts";
import type { Entrance } from "./places.ts";

/** Who comes in: an account, or the status of the refusal. */
export type Admission = { readonly account: Account } | { readonly status: 401 | 403 };

// Looking up a hash takes the same time for every token.
const hashOf = (token: string): string => createHash("sha256").update(token).digest("base64");

/**
 * Finds the account of a connection by its token.
 * @throws TypeError if two accounts have the same name or token, or both are official
 */
export function createDoorman(accounts: readonly Account[]): (entrance: Entrance) => Admission {
  const byToken = new Map<string, Account>();
  const open: Account[] = [];
  for (const account of accounts) {
    const { token } = account.options;
    if (token === null) open.push(account);
    else if (byToken.has(hashOf(token))) throw new TypeError("Two accounts have the same token.");
    else byToken.set(hashOf(token), account);
  }
  const findOpen = (selfId: string | null): Account | undefined =>
    open.find(({ options }) => options.account === selfId) ?? (open.length === 1 ? open[0] : undefined);
  return ({ token, selfId, version }) => {
    const account = token === null ? findOpen(selfId) : byToken.get(hashOf(token));
    if (account !== undefined) return { account };
    return { status: token === null || version === 12 ? 401 : 403 };
  };
}

const accountOptions = z.strictObject({
  account: z.string().min(1).max(64),
  token: z.string().min(1).max(512).nullable(),
  isOfficial: z.boolean().optional(),
  network: z.string().min(1).max(64).optional(),
  // A wrong address would keep the gateway, and with it every other account, from starting.
  connect: z.url({ protocol: /^wss?$/ }).optional(),
  protocol: z.literal([11, 12]).optional(),
  minInterval: z.number().min(0).optional(),
});

/** The first thing that is wrong with an account, without its values: they may be secrets. */
function assertAccount(account: OneBotAccount, index: number): void {
  const [issue] = accountOptions.safeParse(account).error?.issues ?? [];
  if (issue === undefined) return;
  throw new TypeError(`createOneBot: accounts.${[index, ...issue.path].join(".")} is wrong. ${issue.message}.`);
}

/** @throws TypeError for a field that is unknown or wrong, if two accounts have the same name, or both are official */
export function assertAccounts(accounts: readonly OneBotAccount[]): void {
  accounts.forEach(assertAccount);
  const names = accounts.map(({ account }) => account);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`Two accounts have the name ${twice}.`);
  const [first, second] = accounts.filter(({ isOfficial }) => isOfficial === true);
  if (first !== undefined && second !== undefined) {
    throw new TypeError(`Only one account can be official: ${first.account} and ${second.account} both are.`);
  }
}
