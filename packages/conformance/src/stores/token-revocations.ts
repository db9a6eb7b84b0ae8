import assert from "node:assert/strict";
import { defineCases, type StorageCase } from "../support/case.ts";
import { digitsOf, now } from "../support/fixtures.ts";
import { token, issueRevoked } from "./tokens.ts";

/** Promises about the revocation of tokens. */
export const revocationCases: readonly StorageCase[] = defineCases("tokens", {
  "a user revokes a token of their own": async ({ storage: { tokens } }) => {
    const issued = await tokens.issueToken(token(1));
    const record = await tokens.revokeToken({ tokenId: issued.tokenId, userId: 7 }, now + 6);
    assert.deepEqual(record, { ...issued, revokedAt: now + 6 });
  },

  "a user cannot revoke a token of another user": async ({ storage: { tokens } }) => {
    const issued = await tokens.issueToken(token(1));
    assert.equal(await tokens.revokeToken({ tokenId: issued.tokenId, userId: 8 }, now + 5), null);
    assert.deepEqual(await tokens.findToken(issued.digest), issued);
  },

  "a token is revoked by its id or its digest, and no other with it": async ({ storage: { tokens } }) => {
    const [first, second] = [await tokens.issueToken(token(1)), await tokens.issueToken(token(2))];
    const third = await tokens.issueToken(token(3));
    const byId = await tokens.revokeToken({ tokenId: first.tokenId }, now + 5);
    const byDigest = await tokens.revokeToken({ digest: second.digest }, now + 6);
    assert.deepEqual(
      [byId, byDigest],
      [
        { ...first, revokedAt: now + 5 },
        { ...second, revokedAt: now + 6 },
      ],
    );
    assert.deepEqual(await tokens.listTokens({ userId: null, after: 0, limit: 10 }), [byId, byDigest, third]);
  },

  "a revoked token stays found and listed, also after a restart": async ({ storage, reopen }) => {
    const gone = await issueRevoked(storage.tokens);
    const { tokens } = await reopen();
    assert.deepEqual(await tokens.findToken(digitsOf(3, 64)), gone);
    assert.deepEqual(await tokens.listTokens({ userId: null, after: 0, limit: 10 }), [gone]);
  },

  "a token that does not exist cannot be revoked": async ({ storage: { tokens } }) => {
    const { tokenId } = await tokens.issueToken(token(1));
    assert.equal(await tokens.revokeToken({ tokenId: tokenId + 1 }, now), null);
    assert.equal(await tokens.revokeToken({ digest: digitsOf(9, 64) }, now), null);
    assert.equal((await tokens.findToken(digitsOf(1, 64)))?.revokedAt, null);
  },

  "a second revocation keeps the first time": async ({ storage: { tokens } }) => {
    const { tokenId, digest } = await tokens.issueToken(token(1));
    const first = await tokens.revokeToken({ tokenId }, now + 5);
    assert.deepEqual(await tokens.revokeToken({ digest }, now + 9), first);
    assert.deepEqual(await tokens.findToken(digest), first);
  },

  "of 10 simultaneous revocations all answer with the same time": async ({ storage, race }) => {
    const { tokenId } = await storage.tokens.issueToken(token(1));
    const revoked = await race(10, ({ tokens }, caller) => tokens.revokeToken({ tokenId }, now + caller));
    const stored = await storage.tokens.findToken(digitsOf(1, 64));
    assert.deepEqual(new Set(revoked.map((record) => record?.revokedAt)), new Set([stored?.revokedAt]));
  },
});
