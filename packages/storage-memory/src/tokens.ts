import type { TokenKey, TokenRecord, TokenStore } from "@telex/core/storage";
import type { Report } from "./changes.ts";
import type { Counter } from "./counters.ts";
import type { Verb } from "./gate.ts";
import { createNumbered } from "./numbered.ts";
import type { Kept } from "./tables.ts";

const isLive = ({ revokedAt, expiresAt }: TokenRecord, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** Access tokens in memory. */
export function createTokenStore(verb: Verb, report: Report, counter: Counter): Kept<TokenStore, "tokens"> {
  const tokens = createNumbered<TokenRecord>(counter);
  const byDigest = new Map<string, number>();

  const { find } = tokens;
  const put = (token: TokenRecord): TokenRecord => {
    const record = { ...token, scopes: [...token.scopes] };
    tokens.put(record.tokenId, record);
    byDigest.set(record.digest, record.tokenId);
    return record;
  };
  const listOf = (userId: number | null): TokenRecord[] =>
    tokens.list(0, Number.POSITIVE_INFINITY).filter((token) => userId === null || token.userId === userId);
  const findBy = (key: TokenKey): TokenRecord | null => {
    if ("digest" in key) return find(byDigest.get(key.digest) ?? 0);
    const token = find(key.tokenId);
    return token === null || (key.userId ?? token.userId) !== token.userId ? null : token;
  };

  const store: TokenStore = {
    issueToken: verb((token) => put({ ...token, tokenId: counter.next(), revokedAt: null, lastUsedAt: null })),
    findToken: verb((digest) => find(byDigest.get(digest) ?? 0)),
    listTokens: verb(listOf),
    listLiveTokens: verb((userId, { now, limit }) =>
      listOf(userId)
        .filter((token) => isLive(token, now))
        .toReversed()
        .slice(0, limit),
    ),
    touchToken: verb((tokenId, now) => {
      const token = find(tokenId);
      if (token !== null) put({ ...token, lastUsedAt: Math.max(token.lastUsedAt ?? 0, now) });
    }),
    revokeToken: verb((key, now) => {
      const token = findBy(key);
      if (token === null || token.revokedAt !== null) return token;
      report("token", token.tokenId);
      return put({ ...token, revokedAt: now });
    }),
  };
  return { store, tables: { tokens: { all: tokens.all, put: (token) => void put(token) } } };
}
