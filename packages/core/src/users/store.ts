import type { TokenRecord, UserRecord } from "../records/users.ts";

/** Changes of a user. Fields that are left out do not change. */
export type UserChange = Partial<Omit<UserRecord, "userId" | "createdAt" | "suspended">>;

/** People. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. */
export interface UserStore {
  /** Adds a user and assigns the id. Of N users with the same `ext`, exactly one MUST be added. */
  appendUser(
    user: Omit<UserRecord, "userId">,
  ): Promise<{ readonly outcome: "appended"; readonly user: UserRecord } | { readonly outcome: "ext_taken" }>;

  /** The user, or null. */
  findUser(userId: number): Promise<UserRecord | null>;

  /** Those of these users that exist, in any order: one read for all. */
  findUsers(userIds: readonly number[]): Promise<readonly UserRecord[]>;

  /** The user to whom this ID of the external network is bound, or null. */
  findUserByExt(ext: string): Promise<UserRecord | null>;

  /** Users with an id above `after`, by id, at most `limit`. */
  listUsers(page: { readonly after: number; readonly limit: number }): Promise<readonly UserRecord[]>;

  /** The users that are models, by id. There are few of them. Called for each message with a mention. */
  listModels(): Promise<readonly UserRecord[]>;

  /** The users whom frameworks that speak OneBot reach, by id. Called when a server starts. */
  listOneBots(): Promise<readonly UserRecord[]>;

  /** Changes the given fields, and reports a change of `user`. */
  amendUser(
    userId: number,
    change: UserChange,
  ): Promise<
    | { readonly outcome: "amended"; readonly user: UserRecord }
    | { readonly outcome: "missing" }
    | { readonly outcome: "ext_taken" }
  >;

  /**
   * Suspends a user or ends the suspension, and reports a change of `user`. Suspending ends the user's sessions, and the links that the user made;
   * both increase the `rev` of the user's account.
   *
   * @returns `last_admin` if no other active admin would be left (see `AccountStore`); of N simultaneous callers that suspend, demote or drop
   *   all admins, one MUST be refused, unless `force` is set
   */
  suspendUser(
    userId: number,
    suspension: { readonly suspended: boolean; readonly force?: boolean },
  ): Promise<
    | { readonly outcome: "amended"; readonly user: UserRecord }
    | { readonly outcome: "missing" }
    | { readonly outcome: "last_admin" }
  >;

  /**
   * Deletes a user, frees their `ext`, and reports a change of `user`. Removes the account at `now` (Unix milliseconds), and ends its sessions,
   * links and grants, in the same step. The id and the username MUST NOT be given again. False if the user does not exist. Callers that protect the
   * last admin suspend the user first.
   */
  dropUser(userId: number, now: number): Promise<boolean>;
}

/** The fields of a new token. */
export type TokenIssue = Omit<TokenRecord, "tokenId" | "revokedAt" | "lastUsedAt">;

/** Names a token by its id (with `userId`, only if it is a token of that user) or by its digest. */
export type TokenKey = { readonly tokenId: number; readonly userId?: number } | { readonly digest: string };

/** Access tokens. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. */
export interface TokenStore {
  /** Stores a new token and assigns its id. */
  issueToken(token: TokenIssue): Promise<TokenRecord>;

  /** The token with this digest, or null; one indexed read. */
  findToken(digest: string): Promise<TokenRecord | null>;

  /** Tokens with an id above `after`, of one user or, if that is null, of all, by id, at most `limit`. */
  listTokens(page: {
    readonly userId: number | null;
    readonly after: number;
    readonly limit: number;
  }): Promise<readonly TokenRecord[]>;

  /** Tokens of a user that are neither revoked nor expired at `now` (Unix milliseconds), newest first, at most `limit`. */
  listLiveTokens(
    userId: number,
    page: { readonly now: number; readonly limit: number },
  ): Promise<readonly TokenRecord[]>;

  /**
   * Records that a token was used: sets `lastUsedAt` to `now` unless it is already later. Ignores unknown ids. MAY become
   * durable up to two seconds later, but MUST be visible to every verb of this process immediately.
   */
  touchToken(tokenId: number, now: number): Promise<void>;

  /**
   * Revokes a token and reports a change of `token`; null if it does not exist or belongs to another user. A second
   * revocation does not change the time of the first one.
   */
  revokeToken(key: TokenKey, now: number): Promise<TokenRecord | null>;
}
