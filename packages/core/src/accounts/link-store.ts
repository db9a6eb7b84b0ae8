/** The purpose of a link. */
export type LinkKind = "setup" | "invitation" | "recovery" | "room" | "hook" | "ticket" | "challenge" | "push" | "file";

/** A secret that a few callers may use until a time. Links are not among the records that are moved to another storage. */
export interface LinkRecord {
  /** Not secret: names the link to its maker. */
  readonly linkId: string;
  /** SHA-256 of the secret, hexadecimal. */
  readonly digest: string;
  readonly kind: LinkKind;
  /** The user who made it, or null if the server or the operator did. */
  readonly makerId: number | null;
  /** A link with a slot ends the earlier one with the same slot; null for none. */
  readonly slot: string | null;
  /** JSON of the capability that made it: names, rooms, scopes, a file. */
  readonly data: string;
  /** How many uses it has: 1 and above. */
  readonly uses: number;
  readonly used: number;
  /** How many uses were refused because the username was taken. */
  readonly misses: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** Unix milliseconds at which it ends. */
  readonly until: number;
  /** Unix milliseconds, or null. */
  readonly revokedAt: number | null;
}

/** A use of a link. */
export interface LinkUse {
  readonly digest: string;
  readonly kind: LinkKind;
  /** Unix milliseconds. */
  readonly now: number;
  /** The link ends after this number of uses was refused because the username was taken. Default: without end. */
  readonly mostMisses?: number;
}

/** Links: secrets that work once or a few times, for the caller who shows them. */
export interface LinkStore {
  /**
   * Adds a link, and deletes an earlier one with the same slot in the same step.
   *
   * @returns `limit_reached` if the maker (null is one, too) has `limit` links of this kind that can still be used. Links of the maker that
   *   have ended are deleted before more than `limit` are stored.
   */
  issueLink(
    link: Omit<LinkRecord, "used" | "misses" | "revokedAt">,
    limit: number,
  ): Promise<"issued" | "limit_reached">;

  /** The link, if it can be used at `now` (Unix milliseconds), or null. Uses nothing. */
  findLink(use: LinkUse): Promise<LinkRecord | null>;

  /**
   * Uses a link once and returns it, or null if it is unknown, used up, revoked or expired. Of N simultaneous callers, exactly as many as the
   * link has uses left MUST get it.
   */
  consumeLink(use: LinkUse): Promise<LinkRecord | null>;

  /**
   * Links of a kind, of one maker or, if that is undefined, of all, with an id above `after` (`""` for the first page), by id, at most
   * `limit`. Links that have ended are among them until they are swept.
   */
  listLinks(page: {
    readonly kind: LinkKind;
    readonly makerId?: number | null;
    readonly after: string;
    readonly limit: number;
  }): Promise<readonly LinkRecord[]>;

  /**
   * Ends a link, and returns it; null if it does not exist, or if `makerId` is given and another user made it. A second call does not change
   * the time of the first one.
   */
  revokeLink(key: {
    readonly linkId: string;
    readonly kind: LinkKind;
    readonly makerId?: number;
    readonly now: number;
  }): Promise<LinkRecord | null>;
}
