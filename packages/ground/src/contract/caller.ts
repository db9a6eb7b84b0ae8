interface Anonymous {
  readonly kind: "anonymous";
}

/** A caller with a verified token. */
export interface TokenHolder {
  readonly kind: "token";
  readonly userId: number;
  /** `chat`, `profile`, `admin`, `device:<id>`, or what your own verifier grants. */
  readonly scopes: readonly string[];
  /**
   * The generation of each device in `scopes`, by its ID: the token ends when a device gets a later generation. Your own
   * verifier may leave it out; then only the verifier decides when the token of a device ends.
   */
  readonly generations?: ReadonlyMap<string, number>;
  /**
   * The token of the admin who issued this one over the network: this one ends with it. 0 if the admin's token is not stored
   * here; left out if no admin issued this one.
   */
  readonly issuer?: number;
  /** The user of the admin's token: this token does not work while that user is suspended. */
  readonly issuerId?: number;
  /** True if the holder neither gets nor sends messages of the room that a device prints. Default: false. */
  readonly withoutRooms?: boolean;
  /** False if questions about tools of a model do not reach the holder, such as a bot framework. Default: true. */
  readonly canAnswer?: false;
  /** Identifies the token in revocations; null if your own verifier has no such id. */
  readonly tokenId: number | null;
  /** Identifies the session of a browser, or the grant of an application, that the holder stands for: the holder ends with it. */
  readonly sessionId?: string;
  /** True for an admin whose last confirmation is too old to make changes as an admin. Default: false. */
  readonly mustConfirm?: boolean;
  /** Unix milliseconds; null for a token that does not expire. */
  readonly expiresAt: number | null;
}

/** The operator of the installation, in the same process or on the command line. Transports never create it. */
export interface Operator {
  readonly kind: "operator";
}

/** The caller of an operation. */
export type Caller = Anonymous | TokenHolder | Operator;

/** A caller for a user on whose behalf this process acts without a token. */
export const actingFor = (userId: number): TokenHolder => ({
  kind: "token",
  userId,
  scopes: ["chat"],
  tokenId: null,
  expiresAt: null,
});

/** Like {@link actingFor}, but requested by an admin: tokens that it issues end with the token of the admin. */
export const actingForAdmin = (userId: number, admin: Operator | TokenHolder): TokenHolder => ({
  ...actingFor(userId),
  ...(admin.kind === "token" && { issuer: admin.tokenId ?? 0, issuerId: admin.userId, expiresAt: admin.expiresAt }),
});

/** The caller without a token. */
export const anonymous: Anonymous = { kind: "anonymous" };

/** The caller of operator commands. */
export const operator: Operator = { kind: "operator" };
