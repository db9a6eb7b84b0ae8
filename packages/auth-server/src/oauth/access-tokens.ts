import { type Clock, systemClock, type TokenVerifier } from "@telex/core";
import type { GrantStore } from "@telex/core/storage";
import { digestOf } from "../credentials/secrets.ts";
import { readAnonymous } from "./payloads.ts";
import { apiScopes, scopesOf } from "./scopes.ts";

/** Access tokens have this form: other texts are refused without asking the store. */
const shape = /^[\w-]{43}$/;

interface AccessTokenDeps {
  readonly grants: Pick<GrantStore, "findArtifact">;
}

/**
 * Verifies the access tokens of applications: pass it to `createTelex` as `otherTokens`. A token ends with its
 * grant.
 * @param storage the storage of the instance
 */
export const createAccessTokenVerifier = (
  { grants }: AccessTokenDeps,
  { clock = systemClock }: { readonly clock?: Pick<Clock, "now"> } = {},
): TokenVerifier => ({
  async authenticate(token) {
    if (!shape.test(token)) return null;
    const artifact = await grants.findArtifact({ model: "AccessToken", digest: digestOf(token) }, clock.now());
    if (artifact === null || artifact.grantId === null) return null;
    const { accountId, scope = "" } = readAnonymous(artifact.payload);
    const scopes = apiScopes(scopesOf(scope));
    if (scopes.length === 0) return null;
    const userId = Number(accountId);
    return { kind: "token", userId, scopes, tokenId: null, sessionId: artifact.grantId, expiresAt: artifact.until };
  },
});
