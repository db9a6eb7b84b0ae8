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
}

/** An access token. Only its SHA-256 is kept. */
export interface TokenRecord {
  readonly tokenId: number;
  readonly userId: number;
  /** SHA-256 of the token, hexadecimal. */
  readonly digest: string;
  readonly scopes: readonly string[];
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Unix milliseconds, or null. */
  readonly expiresAt: number | null;
  /** Unix milliseconds, or null while it is valid. */
  readonly revokedAt: number | null;
}

/** Access tokens. Every verb is atomic among all callers of all processes; a promise resolves when its change is durable. */
export interface TokenStore {
  /** Keeps a new token and assigns its id. */
  issueToken(token: Omit<TokenRecord, "tokenId" | "revokedAt">): Promise<TokenRecord>;

  /** The token with this digest, or null; one indexed read. */
  findToken(digest: string): Promise<TokenRecord | null>;

  /** All tokens, or those of one user, by id. */
  listTokens(userId: number | null): Promise<readonly TokenRecord[]>;

  /** Revokes a token and reports a change of `token`. A second revocation keeps the first time. */
  revokeToken(
    key: { readonly tokenId: number } | { readonly digest: string },
    now: number,
  ): Promise<TokenRecord | null>;
}
