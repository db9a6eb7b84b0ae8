import type { TokenRecord, TokenStore } from "@telex/core";
import type { Report } from "./changes.ts";
import type { Verb } from "./gate.ts";

/** Access tokens in memory. */
export function createTokenStore(verb: Verb, report: Report): TokenStore {
  /** By id, which starts with 1 and has no holes. */
  const tokens: TokenRecord[] = [];
  const byDigest = new Map<string, number>();

  const find = (tokenId: number): TokenRecord | null => tokens[tokenId - 1] ?? null;

  return {
    issueToken: verb((token) => {
      const tokenId = tokens.length + 1;
      const record = { ...token, scopes: [...token.scopes], tokenId, revokedAt: null };
      tokens.push(record);
      byDigest.set(record.digest, tokenId);
      return record;
    }),
    findToken: verb((digest) => find(byDigest.get(digest) ?? 0)),
    listTokens: verb((userId) => tokens.filter((token) => userId === null || token.userId === userId)),
    revokeToken: verb((key, now) => {
      const token = find("tokenId" in key ? key.tokenId : (byDigest.get(key.digest) ?? 0));
      if (token === null || token.revokedAt !== null) return token;
      const revoked = { ...token, revokedAt: now };
      tokens[token.tokenId - 1] = revoked;
      report("token", token.tokenId);
      return revoked;
    }),
  };
}
