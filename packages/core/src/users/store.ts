import type { TokenRecord, UserRecord } from "./record.ts";

export type { TokenRecord, UserRecord } from "./record.ts";

/** What can be changed of a user; what is left out stays. */
export type UserChange = Partial<Omit<UserRecord, "userId" | "createdAt">>;

/** People. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. */
export interface UserStore {
  /** Adds a user and assigns the id. Of N users with one `ext` exactly one MUST be added. */
  appendUser(
    user: Omit<UserRecord, "userId">,
  ): Promise<{ readonly outcome: "appended"; readonly user: UserRecord } | { readonly outcome: "ext_taken" }>;

  /** The user, or null. */
  findUser(userId: number): Promise<UserRecord | null>;

  /** The user to whom this ID of the external network is bound, or null. */
  findUserByExt(ext: string): Promise<UserRecord | null>;

  /** Users with an id above `after`, by id, at most `limit`. */
  listUsers(page: { readonly after: number; readonly limit: number }): Promise<readonly UserRecord[]>;

  /** The users that are models, by id. They are few, and asked for with each message that mentions somebody. */
  listModels(): Promise<readonly UserRecord[]>;

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
   * Deletes a user, frees their `ext`, and reports a change of `user`. False where there is no such user. The id MUST NOT
   * be given again: messages keep it.
   */
  dropUser(userId: number): Promise<boolean>;
}

/** What is given for a new token. */
export type TokenIssue = Omit<TokenRecord, "tokenId" | "revokedAt" | "lastUsedAt">;

/** Names a token: by its id, for one user only where `userId` is given, or by its digest. */
export type TokenKey = { readonly tokenId: number; readonly userId?: number } | { readonly digest: string };

/** Access tokens. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. */
export interface TokenStore {
  /** Keeps a new token and assigns its id. */
  issueToken(token: TokenIssue): Promise<TokenRecord>;

  /** The token with this digest, or null; one indexed read. */
  findToken(digest: string): Promise<TokenRecord | null>;

  /** All tokens, or those of one user, by id. */
  listTokens(userId: number | null): Promise<readonly TokenRecord[]>;

  /** Tokens of a user that are neither revoked nor expired at `now` (Unix milliseconds), newest first, at most `limit`. */
  listLiveTokens(
    userId: number,
    page: { readonly now: number; readonly limit: number },
  ): Promise<readonly TokenRecord[]>;

  /**
   * Notes that a token was used: sets `lastUsedAt` to `now` unless it is later already; passes over an id that is no
   * token's. MAY become durable up to two seconds later, and MUST be visible to every verb of this process immediately.
   */
  touchToken(tokenId: number, now: number): Promise<void>;

  /**
   * Revokes a token and reports a change of `token`; null where there is none, or it is another user's. A second revocation
   * keeps the first time.
   */
  revokeToken(key: TokenKey, now: number): Promise<TokenRecord | null>;
}
