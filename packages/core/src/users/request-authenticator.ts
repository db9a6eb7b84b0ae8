import type { Caller, TokenHolder, CallRequest } from "@telex/ground/contract";

/** A request that carries no access token. */
export interface TokenlessRequest extends Pick<CallRequest, "header" | "address"> {
  readonly method: string;
}

/**
 * Authenticates requests that carry no access token, such as by a cookie. A host that signs people in passes one to its transports. Where
 * a request carries a token, the transports do not ask.
 */
export interface RequestAuthenticator {
  /**
   * The caller of a request, anonymous if it carries nothing that this authenticator knows.
   * @throws TelexError `cross_origin` for one that a page of another site may have made
   */
  readonly authenticate: (request: TokenlessRequest) => Promise<Caller>;
  /**
   * Checks the headers of an upgrade before a socket is opened.
   * @throws TelexError `cross_origin` for one that a page of another site may have made
   */
  readonly assertUpgrade: (request: Pick<CallRequest, "header">) => void;
  /** Returns the caller of a ticket, which opens one socket in place of a token, and uses it up; null for other secrets. */
  readonly redeem: (secret: string) => Promise<TokenHolder | null>;
}
