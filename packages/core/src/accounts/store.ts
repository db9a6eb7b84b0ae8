import type { AccountRecord, IdentityRecord, PasskeyRecord } from "../records/accounts.ts";
import type { UserRecord } from "../records/users.ts";
import type { LinkRecord, LinkStore, LinkUse } from "./link-store.ts";
import type { SessionStore } from "./session-store.ts";

/** A passkey without its user. */
export type Passkey = Omit<PasskeyRecord, "userId">;

/** An identity at another provider without its user. */
export type Identity = Omit<IdentityRecord, "userId">;

/** An account with its ways to sign in, in no particular order. The auth package bounds their number. */
export interface Account extends AccountRecord {
  readonly passkeys: readonly Passkey[];
  readonly identities: readonly Identity[];
}

/** A new account. */
export interface AccountCreation {
  /** The id of a user without an account, or a user that is created in the same step. */
  readonly user: number | Omit<UserRecord, "userId" | "ext">;
  readonly account: Omit<Account, "userId" | "removedAt" | "rev">;
  /** The link that this call uses up. Default: none is needed. */
  readonly link?: LinkUse;
  /** Refuse the account if there is one with the role `admin`, also if its user is suspended. Default false. */
  readonly isFirstAdmin?: boolean;
  /** Create nothing, but count refusals, so that a caller learns beforehand what would be refused. Default false. */
  readonly isTrial?: boolean;
}

/** Names an account. */
export type AccountKey =
  | { readonly userId: number }
  | { readonly usernameKey: string }
  | { readonly credentialId: string }
  | Pick<IdentityRecord, "issuer" | "subject">;

/** A change of an account, and what happens in the same step. */
export interface AccountAmendment {
  readonly userId: number;
  /** The account as the caller knows it. */
  readonly rev: number;
  /** Fields that are left out do not change. `passkeys` and `identities` replace all of them. */
  readonly change: Partial<Omit<Account, "userId" | "createdAt" | "removedAt" | "rev">>;
  /** The link that this call uses up. Default: none is needed. */
  readonly link?: LinkUse;
  /** Ends all sessions, except the one with this id. Default: none ends. */
  readonly endSessions?: { readonly except: string | null };
  /** Also revokes all tokens of the user at this time (Unix milliseconds), and ends all grants. Default: none. */
  readonly endAccess?: number;
  /** Take the role from the last active admin, too. Default false. */
  readonly force?: boolean;
}

/** Why ways to sign in were refused: another account has one of them. */
export type AccountConflict = "username_taken" | "passkey_taken" | "identity_taken";

/**
 * Accounts, their sessions, and links. Every verb is atomic among all callers of all processes; a promise resolves when its change is
 * durable. A removed account does not exist for any verb, but no other account can have its username.
 *
 * An admin is active if the user is not suspended. Verbs that take away the last active admin refuse with `last_admin`.
 */
export interface AccountStore extends SessionStore, LinkStore {
  /**
   * Creates an account with `rev` 1, its user if that is new, and uses the link, all or nothing; reports a change of `user`. Of N
   * simultaneous callers with the same username, the same user, the last use of a link, or `isFirstAdmin`, exactly one MUST succeed.
   *
   * @returns `missing`: there is no such user; `exists`: the user has or had an account; `link_ended`: the link is unknown, used, revoked or
   *   expired, or has had `mostMisses` refusals with `username_taken`, which are counted; `free`: a trial that would not be refused now
   */
  createAccount(
    creation: AccountCreation,
  ): Promise<
    | { readonly outcome: "created"; readonly account: Account; readonly link: LinkRecord | null }
    | { readonly outcome: "free" | "missing" | "exists" | "admin_exists" | "link_ended" | AccountConflict }
  >;

  /** The account, or null. */
  findAccount(key: AccountKey): Promise<Account | null>;

  /** The existing accounts of these users, in any order. The number of reads does not depend on the number of users. */
  findAccounts(userIds: readonly number[]): Promise<readonly Account[]>;

  /** Accounts of users with an id above `after`, by id, at most `limit`. */
  listAccounts(page: { readonly after: number; readonly limit: number }): Promise<readonly Account[]>;

  /** True if there is an account with the role `admin`. Its user may be suspended. */
  hasAdmin(): Promise<boolean>;

  /**
   * Changes an account whose `rev` is the given one, and increases it; all or nothing with the use of the link and what ends. Reports a change
   * of `user` if the role changes, of `session` for each session that ends, of `token` and `grant` likewise. Links whose maker loses the role end.
   *
   * @returns `stale`: the account has another `rev`; of N simultaneous callers with the same one, exactly one MUST succeed
   */
  amendAccount(
    amendment: AccountAmendment,
  ): Promise<
    | { readonly outcome: "amended"; readonly account: Account; readonly link: LinkRecord | null }
    | { readonly outcome: "missing" | "stale" | "last_admin" | "link_ended" | AccountConflict }
  >;

  /** Deletes sessions and links that have ended by `now` (Unix milliseconds), at most `limit` of each, and returns how many. */
  sweepAccounts(page: { readonly now: number; readonly limit: number }): Promise<number>;
}
