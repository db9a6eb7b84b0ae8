import type { TokenKey, TokenRecord, TokenStore } from "@telex/core/storage";
import { type Documents, recordOf } from "../driver/documents.ts";
import type { StoreDeps } from "./deps.ts";
import { collectionOf, feedRoot, plain, recordOrNull, recordsOf, asPrimary } from "../driver/collections.ts";
import type { Tx } from "../driver/transaction.ts";

async function findBy(tx: Tx, key: TokenKey): Promise<Documents["tokens"] | null> {
  if ("digest" in key) return (await tx.list("tokens", { digest: key.digest }, { limit: 1 }))[0] ?? null;
  const token = await tx.find("tokens", key.tokenId);
  return token === null || (key.userId ?? token.userId) !== token.userId ? null : token;
}

async function revoke(tx: Tx, key: TokenKey, now: number): Promise<TokenRecord | null> {
  const token = await findBy(tx, key);
  if (token === null || token.revokedAt !== null) return recordOrNull("tokens", token);
  const revoked = { ...token, revokedAt: now };
  tx.put("tokens", revoked);
  tx.report("token", token.tokenId);
  return recordOf("tokens", revoked);
}

/** Access tokens. */
export function createTokenStore({ db, batches, ids }: StoreDeps): TokenStore {
  const tokens = collectionOf(db, "tokens");
  const { write, single } = batches;
  return {
    issueToken(issue) {
      const own = { ...issue, scopes: [...issue.scopes] };
      return write("tokens", async (tx) => {
        const tokenId = await ids.count(tx, "token");
        const token: TokenRecord = { tokenId, ...own, revokedAt: null, lastUsedAt: null };
        tx.add("tokens", plain("tokens", token));
        return { ...token, scopes: [...token.scopes] };
      });
    },
    // A revoked token must not look valid.
    findToken: (digest) => single(async () => recordOrNull("tokens", await tokens.findOne({ digest }, asPrimary))),
    listTokens: ({ userId, after, limit }) =>
      single(async () => {
        const filter = { ...(userId !== null && { userId }), _id: { $gt: after } };
        return recordsOf("tokens", await tokens.find(filter, { sort: { _id: 1 }, limit }).toArray());
      }),
    listLiveTokens: (userId, { now, limit }) =>
      single(async () => {
        const live = { userId, revokedAt: null, $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] };
        return recordsOf("tokens", await tokens.find(live, { sort: { _id: -1 }, limit }).toArray());
      }),
    touchToken: (tokenId, now) =>
      single(async () => void (await tokens.updateOne({ _id: tokenId }, { $max: { lastUsedAt: now } }))),
    revokeToken: (key, now) => write(feedRoot, (tx) => revoke(tx, key, now)),
  };
}
