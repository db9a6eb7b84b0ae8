import { LRUCache } from "lru-cache";
import type { TokenHolder } from "../caller.ts";
import type { Limits } from "../limits.ts";
import { digestOf } from "../secrets.ts";
import type { Clock } from "../time.ts";
import type { TokenRecord, TokenStore } from "./store.ts";
import { isTokenShaped } from "./tokens.ts";
import type { TokenVerifier } from "./verifier.ts";

/** The verifier of tokens that this installation issued. Keeps what it verified for a short time. */
export interface LocalVerifier extends TokenVerifier {
  /** Forgets a token that was revoked. */
  forget(tokenId: number): void;
}

const holderOf = ({ userId, scopes, tokenId, expiresAt }: TokenRecord): TokenHolder => ({
  kind: "token",
  userId,
  scopes,
  tokenId,
  expiresAt,
});

/** A verifier on the token store. */
export function createLocalVerifier(store: TokenStore, clock: Clock, limits: Limits): LocalVerifier {
  // Keyed by digest: a token itself is never kept.
  const verified = new LRUCache<string, { readonly holder: TokenHolder; readonly until: number }>({
    max: limits.tokenCacheEntries,
  });
  const isLive = (expiresAt: number | null): boolean => expiresAt === null || expiresAt > clock.now();
  return {
    async authenticate(token) {
      if (!isTokenShaped(token)) return null;
      const digest = digestOf(token);
      const known = verified.get(digest);
      if (known !== undefined && known.until > clock.now()) return isLive(known.holder.expiresAt) ? known.holder : null;
      const record = await store.findToken(digest);
      if (record === null || record.revokedAt !== null || !isLive(record.expiresAt)) return null;
      const holder = holderOf(record);
      verified.set(digest, { holder, until: clock.now() + limits.tokenCacheLife });
      return holder;
    },
    forget(tokenId) {
      for (const [digest, { holder }] of verified.entries()) if (holder.tokenId === tokenId) verified.delete(digest);
    },
  };
}
