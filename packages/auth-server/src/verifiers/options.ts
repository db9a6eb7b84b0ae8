import type { Clock } from "@telex/core";

/** The claims of an access token that its provider has confirmed. */
export interface Claims {
  /** The person, as the provider names them. */
  readonly sub: string;
  readonly [claim: string]: unknown;
}

/** Options of every verifier. */
export interface VerifierOptions {
  /**
   * The user id of Telex for a token, or null to refuse it. Called when a token is seen for the first time, and again when the cache has
   * forgotten it. If it rejects, the caller gets 503 and the result is not cached.
   */
  readonly userOf: (claims: Claims) => Promise<number | null>;
  /**
   * The scopes that a token has here. Default: those of `chat`, `profile`, `device` and `device:<id>` that the claim `scope` lists. `admin` is
   * not one of them: otherwise every client that the provider gives a scope of this name could administer this server.
   */
  readonly scopesOf?: (claims: Claims) => readonly string[];
  /** Valid tokens that are kept, and the same number of invalid ones; 1 and above. Default 10,000. */
  readonly cacheSize?: number;
  /** Default: the clock of the machine. */
  readonly clock?: Pick<Clock, "now">;
}
