import { TelexError } from "@telex/core";
import type { Account, Identity } from "@telex/core/storage";
import type { AuthDeps } from "../options.ts";
import { hasWay } from "./ways.ts";

type Deps = Pick<AuthDeps, "storage">;

/** Attempts to change an account that others change simultaneously. */
const attempts = 5;

/** Maximum identities of an account: one of each issuer. There can be more than providers only while the settings change. */
const most = 20;

/** Replaces the identities of an account with those that `change` returns; null leaves them. */
async function amend({ storage }: Deps, userId: number, change: (account: Account) => readonly Identity[] | null) {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const account = await storage.accounts.findAccount({ userId });
    if (account === null) throw new TelexError("user_not_found");
    const identities = change(account);
    if (identities === null) return "amended";
    const { outcome } = await storage.accounts.amendAccount({ userId, rev: account.rev, change: { identities } });
    if (outcome === "amended" || outcome === "identity_taken") return outcome;
  }
  throw new TelexError("busy");
}

/**
 * Adds an identity to an account.
 * @returns `taken`: another account has it; `linked`: this account has another one of the issuer
 * @throws TelexError `user_not_found`, `busy`
 */
export async function addIdentity(
  deps: Deps,
  userId: number,
  identity: Identity,
): Promise<"added" | "taken" | "linked"> {
  let isLinked = false;
  const outcome = await amend(deps, userId, ({ identities }) => {
    const same = identities.find(({ issuer }) => issuer === identity.issuer);
    isLinked = identities.length >= most || (same !== undefined && same.subject !== identity.subject);
    return isLinked || same !== undefined ? null : [...identities, identity];
  });
  if (outcome === "identity_taken") return "taken";
  return isLinked ? "linked" : "added";
}

/**
 * Removes the identity of an issuer from an account.
 * @throws TelexError `user_not_found`, `not_found`, `last_way`, `busy`
 */
export async function removeIdentity(
  deps: Pick<AuthDeps, "storage" | "issuers">,
  userId: number,
  issuer: string,
): Promise<void> {
  await amend(deps, userId, (account) => {
    if (!account.identities.some((identity) => identity.issuer === issuer)) throw new TelexError("not_found");
    const identities = account.identities.filter((identity) => identity.issuer !== issuer);
    if (!hasWay(deps, { ...account, identities })) throw new TelexError("last_way");
    return identities;
  });
}
