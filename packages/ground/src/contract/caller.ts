interface Anonymous {
  readonly kind: "anonymous";
}

/** A caller whose token was verified. */
export interface TokenHolder {
  readonly kind: "token";
  readonly userId: number;
  /** `chat`, `profile`, `admin`, `device:<id>`, or what your own verifier grants. */
  readonly scopes: readonly string[];
  /**
   * The generation of each device in `scopes`, by its ID: the holder ends when a device gets a later one. A verifier of your
   * own may leave it out; then the verifier alone decides when a device's token ends.
   */
  readonly generations?: ReadonlyMap<string, number>;
  /**
   * The token of the admin who issued this one over the network: this one ends with it. 0 if the admin's token is not stored
   * here; left out if no admin has issued this one.
   */
  readonly issuer?: number;
  /** The user of that admin's token: this one does not work while that user is suspended. */
  readonly issuerId?: number;
  /** True: of the room that a device prints, the holder gets nothing and says nothing. Default: false. */
  readonly withoutRooms?: boolean;
  /** False: a question about a tool of a model does not reach the holder, such as the framework of a bot. Default: true. */
  readonly canAnswer?: false;
  /** Names the token in revocations; null if your own verifier has no such name. */
  readonly tokenId: number | null;
  /** Names the session of a browser, or the grant of an application, in whose place the holder stands: the holder ends with it. */
  readonly sessionId?: string;
  /** True for an admin whose last confirmation is too long ago to change something as an admin. Default: false. */
  readonly mustConfirm?: boolean;
  /** Unix milliseconds; null for a token that does not expire. */
  readonly expiresAt: number | null;
}

/** The operator of the installation, in the same process or on the command line. Never comes from a transport. */
export interface Operator {
  readonly kind: "operator";
}

/** The caller of an operation. */
export type Caller = Anonymous | TokenHolder | Operator;

/** A user for whom this process acts without a token. */
export const actingFor = (userId: number): TokenHolder => ({
  kind: "token",
  userId,
  scopes: ["chat"],
  tokenId: null,
  expiresAt: null,
});

/** As {@link actingFor}, as an admin asks for it: what comes of it ends with the token of the admin. */
export const actingForAdmin = (userId: number, admin: Operator | TokenHolder): TokenHolder => ({
  ...actingFor(userId),
  ...(admin.kind === "token" && { issuer: admin.tokenId ?? 0, issuerId: admin.userId, expiresAt: admin.expiresAt }),
});

/** The caller without a token. */
export const anonymous: Anonymous = { kind: "anonymous" };

/** The caller of operator commands. */
export const operator: Operator = { kind: "operator" };
