import { type BrokenStorage, override } from "./spoil.ts";

/** Wrong stores of access tokens. */
export const brokenTokens: readonly BrokenStorage[] = [
  {
    fault: "a second revocation has a new time",
    found: ["tokens: a second revocation keeps the first time"],
    spoil: override("tokens", (store) => ({
      async revokeToken(key, now) {
        const revoked = await store.revokeToken(key, now);
        return revoked === null ? null : { ...revoked, revokedAt: now };
      },
    })),
  },
  {
    fault: "whose token is revoked is not looked at",
    found: ["tokens: a user cannot revoke a token of another user"],
    spoil: override("tokens", (store) => ({
      revokeToken: (key, now) => store.revokeToken("digest" in key ? key : { tokenId: key.tokenId }, now),
    })),
  },
  {
    fault: "a list of live tokens has the revoked ones as well",
    found: ["tokens: a token that has expired, was revoked or is another user's is not listed as live"],
    spoil: override("tokens", (store) => ({
      listLiveTokens: async (userId, { limit }) =>
        (await store.listTokens({ userId, after: 0, limit: 1000 })).toReversed().slice(0, limit),
    })),
  },
  {
    fault: "a list of live tokens has no limit",
    found: ["tokens: the live tokens of a user are listed newest first, up to a limit"],
    spoil: override("tokens", (store) => ({
      listLiveTokens: (userId, page) => store.listLiveTokens(userId, { ...page, limit: 1000 }),
    })),
  },
  {
    fault: "a list of tokens has no limit",
    found: ["tokens: a list has all tokens, or those of one user, by id, in pages"],
    spoil: override("tokens", (store) => ({
      listTokens: (page) => store.listTokens({ ...page, limit: 1000 }),
    })),
  },
  {
    fault: "a page of tokens begins with the last token of the page before",
    found: ["tokens: a list has all tokens, or those of one user, by id, in pages"],
    spoil: override("tokens", (store) => ({
      listTokens: (page) => store.listTokens({ ...page, after: page.after - 1 }),
    })),
  },
  {
    fault: "the last use moves back",
    found: ["tokens: a use moves the last use forward, never back"],
    spoil: override("tokens", (store) => {
      const uses = new Map<number, number>();
      return {
        touchToken(tokenId, now) {
          uses.set(tokenId, now);
          return store.touchToken(tokenId, now);
        },
        async findToken(digest) {
          const token = await store.findToken(digest);
          return token === null ? null : { ...token, lastUsedAt: uses.get(token.tokenId) ?? null };
        },
      };
    }),
  },
  {
    fault: "the objects of callers are kept as they are",
    found: ["storage: later changes of the callers' objects change nothing"],
    spoil: override("tokens", (store) => {
      const scopes = new Map<string, readonly string[]>();
      return {
        issueToken(token) {
          scopes.set(token.digest, token.scopes);
          return store.issueToken(token);
        },
        async findToken(digest) {
          const token = await store.findToken(digest);
          return token === null ? null : { ...token, scopes: scopes.get(digest) ?? [] };
        },
      };
    }),
  },
];
