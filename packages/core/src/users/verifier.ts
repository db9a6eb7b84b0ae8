import type { TokenHolder } from "@telex/ground/contract";

/**
 * Finds the holder of an access token. An embedding server passes its own; the default asks the token store.
 */
export interface TokenVerifier {
  /**
   * The holder, or null when the token is unknown, expired or revoked.
   * @throws TelexError `storage_unavailable` if it cannot decide: a caller then sees 503, never a wrong 401.
   */
  authenticate(token: string): Promise<TokenHolder | null>;
}
