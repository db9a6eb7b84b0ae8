/** A signed-in browser. Sessions are not among the records that are moved to another storage. */
export interface SessionRecord {
  /** Not secret: names the session to its owner. */
  readonly sessionId: string;
  /** SHA-256 of the secret in the cookie, hexadecimal. */
  readonly digest: string;
  readonly userId: number;
  /** Shown to its owner. */
  readonly browser: string;
  readonly address: string;
  /** True if the cookie outlives the browser. */
  readonly stay: boolean;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Unix milliseconds. */
  readonly lastUsedAt: number;
  /** Unix milliseconds from which it does not exist. */
  readonly until: number;
  /** Unix milliseconds above which `until` is never moved. */
  readonly absoluteUntil: number;
  /** Unix milliseconds: when its user last showed a password or a passkey. */
  readonly confirmedAt: number;
}

/** Names a session of a user. */
export interface SessionKey {
  readonly sessionId: string;
  readonly userId: number;
}

/** Sessions of accounts. Each end of a session before its time reports a change of `session` with its id. */
export interface SessionStore {
  /**
   * Adds a session of an account whose `rev` is still the given one, so that no sign-in survives a change of the password that it used. If the
   * account has `limit` sessions, the one that was used the longest time ago ends.
   *
   * @returns `stale` if there is no account with this `rev`
   */
  createSession(
    session: SessionRecord,
    conditions: {
      readonly rev: number;
      /** 1 and above. */
      readonly limit: number;
      /** Replaces the field `seen` of the account. Default: it does not change. */
      readonly seen?: readonly string[];
    },
  ): Promise<"created" | "stale">;

  /** The session with this digest, if it has not ended by `now` (Unix milliseconds), or null. */
  findSession(digest: string, now: number): Promise<SessionRecord | null>;

  /** Sessions of a user that have not ended by `now`, the last used first. */
  listSessions(userId: number, now: number): Promise<readonly SessionRecord[]>;

  /**
   * Records a use: moves `lastUsedAt` and `until` forward, never back, and `until` no further than `absoluteUntil`. Ignores a session
   * that has ended, or has expired at `lastUsedAt`.
   */
  touchSession(use: SessionKey & Pick<SessionRecord, "lastUsedAt" | "until">): Promise<void>;

  /** Moves `confirmedAt` of a session forward; false if it does not exist. */
  confirmSession(confirmation: SessionKey & Pick<SessionRecord, "confirmedAt">): Promise<boolean>;

  /** Ends a session; false if it does not exist. */
  endSession(key: SessionKey): Promise<boolean>;

  /** Ends all sessions of a user except the one with the id `except`, and returns how many. */
  endSessions(userId: number, except: string | null): Promise<number>;
}
