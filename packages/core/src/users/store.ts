/** A person. */
export interface UserRecord {
  readonly userId: number;
  readonly nickname: string;
  /** The ID in the external network; held by one user at most. */
  readonly ext: string | null;
  readonly phone: string | null;
  /** MD5 of a stored image. */
  readonly avatar: string | null;
  /** The AI model that answers as this user in its rooms, or null. */
  readonly ai: string | null;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** What can be changed of a user; what is left out stays. */
export type UserChange = Partial<Pick<UserRecord, "nickname" | "ext" | "phone" | "avatar" | "ai">>;

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

/** An access token. Only its SHA-256 is kept. */
export interface TokenRecord {
  readonly tokenId: number;
  readonly userId: number;
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
  /** What its owner calls it, or null. */
  readonly name: string | null;
  /** As stored: a scope for a device ends with the generation that it names (`storedDeviceScope`). */
  readonly scopes: readonly string[];
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Unix milliseconds, or null. */
  readonly expiresAt: number | null;
  /** Unix milliseconds, or null while it is valid. */
  readonly revokedAt: number | null;
  /** Unix milliseconds of a use, exact to a minute, or null before the first one. */
  readonly lastUsedAt: number | null;
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
