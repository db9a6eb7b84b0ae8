import type { TokenHolder } from "@telex/ground/contract";
import { readDeviceScope } from "./scopes.ts";
import type { TokenStore } from "./store.ts";
import type { TokenRecord } from "../records/users.ts";

/** The token of an admin, or null if it has ended at `now` (Unix milliseconds). */
export async function findIssuer(
  tokens: Pick<TokenStore, "listTokens">,
  tokenId: number,
  now: number,
): Promise<TokenRecord | null> {
  const [token] = await tokens.listTokens({ userId: null, after: tokenId - 1, limit: 1 });
  if (token?.tokenId !== tokenId || token.revokedAt !== null) return null;
  return token.expiresAt !== null && token.expiresAt <= now ? null : token;
}

/** The restrictions that a token inherits from the admin who issued it. */
type Inherited = Pick<TokenHolder, "issuer" | "issuerId" | "withoutRooms">;

/**
 * The scopes that a token for devices keeps if an admin has issued it: none for the rooms of others. Null once the admin's own
 * token has ended.
 */
export async function inheritedBy(
  { userId, scopes }: Pick<TokenRecord, "userId" | "scopes">,
  tokens: Pick<TokenStore, "listTokens">,
  now: number,
): Promise<Inherited | null> {
  const issuer = scopes.map((scope) => readDeviceScope(scope)?.issuer ?? null).find((found) => found !== null);
  if (issuer === undefined) return {};
  if (issuer === 0) return { issuer, withoutRooms: true };
  const token = await findIssuer(tokens, issuer, now);
  return token === null ? null : { issuer, issuerId: token.userId, withoutRooms: token.userId !== userId };
}
