import { shortText } from "@telex/core/contract";
import { hash } from "node:crypto";
import { z } from "zod";
import type { Account } from "../account/account.ts";
import type { OneBotAccount } from "../account/options.ts";
import type { Entrance } from "../link/places.ts";

/** The account that a connection belongs to, or the status of the refusal. */
export type Admission = { readonly account: Account } | { readonly status: 401 | 403 };

// Comparing hashes reveals nothing about a token.
/** The digest of an account's token: null for an account that accepts connections without one. */
export const digestOf = (token: string | null): string | null => (token === null ? null : hash("sha256", token));

/** Finds the account of a connection by its token. No two accounts have the same one. */
export const createDoorman =
  (accounts: () => readonly Account[]): ((entrance: Entrance) => Admission) =>
  ({ token, selfId, version }) => {
    const digest = digestOf(token);
    const fitting = accounts().filter((account) => account.digest === digest);
    // Without a token, the name that the connection shows decides. A single account needs no name.
    const account =
      fitting.find(({ options }) => options.account === selfId) ?? (fitting.length === 1 ? fitting[0] : undefined);
    if (account !== undefined) return { account };
    return { status: token === null || version === 12 ? 401 : 403 };
  };

const accountOptions = z.strictObject({
  account: shortText(64, 1),
  token: z
    .string()
    .refine((token) => token.length <= 512)
    .regex(/^[!-~]+$/, "It has a space or a character that is not ASCII: a bot cannot show it as its token")
    .nullable(),
  isOfficial: z.boolean().optional(),
  network: shortText(64, 1).optional(),
  // A wrong address would keep the gateway, and with it every other account, from starting.
  connect: z
    .url({ protocol: /^(ws|http)s?$/ })
    .refine((url) => url.length <= 8192)
    .optional(),
  protocol: z.literal([11, 12]).optional(),
  minInterval: z.number().min(0).optional(),
});

/** Throws for the first fault of an account, without its values: they may be secrets. */
function assertAccount(account: OneBotAccount, index: number): void {
  const [issue] = accountOptions.safeParse(account).error?.issues ?? [];
  if (issue === undefined) return;
  throw new TypeError(`createOneBot: accounts.${[index, ...issue.path].join(".")} is wrong. ${issue.message}.`);
}

/** @throws TypeError for a field that is unknown or wrong, if two accounts have one name or token, or both are official */
export function assertAccounts(accounts: readonly OneBotAccount[]): void {
  accounts.forEach(assertAccount);
  const names = accounts.map(({ account }) => account);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new TypeError(`Two accounts have the name ${twice}.`);
  const tokens = accounts.flatMap(({ token }) => token ?? []);
  if (new Set(tokens).size < tokens.length) throw new TypeError("Two accounts have the same token.");
  const [first, second] = accounts.filter(({ isOfficial }) => isOfficial === true);
  if (first !== undefined && second !== undefined)
    throw new TypeError(`Only one account can be official: ${first.account} and ${second.account} both are.`);
}
