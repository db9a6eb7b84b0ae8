import type { TokenKey, TokenRecord, TokenStore } from "@telex/core/storage";
import type { Report } from "./changes.ts";
import type { Counter } from "../engine/counters.ts";
import type { Verb } from "../engine/gate.ts";
import { createNumbered, type Numbered } from "../engine/numbered.ts";
import type { Kept } from "../engine/tables.ts";

const isLive = ({ revokedAt, expiresAt }: TokenRecord, now: number): boolean =>
  revokedAt === null && (expiresAt === null || expiresAt > now);

/** All tokens, by their ids and by the digests of their secrets. */
interface Tokens extends Pick<Numbered<TokenRecord>, "find" | "all"> {
  readonly findByDigest: (digest: string) => TokenRecord | null;
  readonly findBy: (key: TokenKey) => TokenRecord | null;
  /** The tokens with ids above `after`, by id: those of a user, or all if `userId` is null. */
  readonly listOf: (userId: number | null, after: number) => TokenRecord[];
  readonly put: (token: TokenRecord) => TokenRecord;
}

function createTokens(counter: Counter): Tokens {
  const tokens = createNumbered<TokenRecord>(counter);
  const byDigest = new Map<string, number>();
  const { find, list, all } = tokens;
  const findByDigest = (digest: string): TokenRecord | null => find(byDigest.get(digest) ?? 0);
  return {
    find,
    all,
    findByDigest,
    findBy(key) {
      if ("digest" in key) return findByDigest(key.digest);
      const token = find(key.tokenId);
      return token === null || (key.userId ?? token.userId) !== token.userId ? null : token;
    },
    listOf: (userId, after) =>
      list(after, Number.POSITIVE_INFINITY).filter((token) => userId === null || token.userId === userId),
    put(token) {
      const record = { ...token, scopes: [...token.scopes] };
      tokens.put(record.tokenId, record);
      byDigest.set(record.digest, record.tokenId);
      return record;
    },
  };
}

function revoke(tokens: Tokens, report: Report, token: TokenRecord, now: number): TokenRecord {
  if (token.revokedAt !== null) return token;
  report("token", token.tokenId);
  return tokens.put({ ...token, revokedAt: now });
}

const verbsOf = (verb: Verb, tokens: Tokens, report: Report, counter: Counter): TokenStore => ({
  issueToken: verb((token) => tokens.put({ ...token, tokenId: counter.next(), revokedAt: null, lastUsedAt: null })),
  findToken: verb(tokens.findByDigest),
  listTokens: verb(({ userId, after, limit }) => tokens.listOf(userId, after).slice(0, limit)),
  listLiveTokens: verb((userId, { now, limit }) => {
    const live = tokens.listOf(userId, 0).filter((token) => isLive(token, now));
    return live.toReversed().slice(0, limit);
  }),
  touchToken: verb((tokenId, now) => {
    const token = tokens.find(tokenId);
    if (token !== null) tokens.put({ ...token, lastUsedAt: Math.max(token.lastUsedAt ?? 0, now) });
  }),
  revokeToken: verb((key, now) => {
    const token = tokens.findBy(key);
    return token === null ? null : revoke(tokens, report, token, now);
  }),
});

export function createTokenStore(
  verb: Verb,
  report: Report,
  counter: Counter,
): Kept<TokenStore, "tokens"> & { readonly revokeTokensOf: (userId: number, now: number) => void } {
  const tokens = createTokens(counter);
  const revokeTokensOf = (userId: number, now: number): void => {
    for (const token of tokens.listOf(userId, 0)) revoke(tokens, report, token, now);
  };
  const table = { all: tokens.all, put: (token: TokenRecord) => void tokens.put(token) };
  return { revokeTokensOf, store: verbsOf(verb, tokens, report, counter), tables: { tokens: table } };
}
