import type { TokenRecord, TokenStore } from "@telex/core";
import type { Report } from "./changes.ts";
import type { Counter } from "./counters.ts";
import type { Verb } from "./gate.ts";
import { createNumbered } from "./numbered.ts";
import type { Kept } from "./tables.ts";

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

  const store: TokenStore = {
    issueToken: verb((token) => put({ ...token, tokenId: counter.next(), revokedAt: null })),
    findToken: verb((digest) => find(byDigest.get(digest) ?? 0)),
    listTokens: verb((userId) =>
      tokens.list(0, Number.POSITIVE_INFINITY).filter((token) => userId === null || token.userId === userId),
    ),
    revokeToken: verb((key, now) => {
      const token = find("tokenId" in key ? key.tokenId : (byDigest.get(key.digest) ?? 0));
      if (token === null || token.revokedAt !== null) return token;
      report("token", token.tokenId);
      return put({ ...token, revokedAt: now });
    }),
  };
  return { store, tables: { tokens: { all: tokens.all, put: (token) => void put(token) } } };
}
