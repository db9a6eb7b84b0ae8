import assert from "node:assert/strict";
import type { TokenIssue, TokenRecord, TokenStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectId, expectRising, fieldsOf } from "../support/expect.ts";
import { digitsOf, now } from "../support/fixtures.ts";

export const token = (number: number, different: Partial<TokenIssue> = {}): TokenIssue => ({
  userId: 7,
  digest: digitsOf(number, 64),
  name: "Kitchen 厨房",
  scopes: ["chat", "device:printer-1"],
  createdAt: now,
  expiresAt: now + 1000,
  ...different,
});

/** A token that was revoked, and its record. */
export async function issueRevoked(store: TokenStore, number = 3): Promise<TokenRecord | null> {
  const { tokenId } = await store.issueToken(token(number));
  return store.revokeToken({ tokenId }, now + 1);
}

/** Promises of a storage about access tokens. */
export const tokenCases: readonly StorageCase[] = defineCases("tokens", {
  "a token is kept as given, under an id of its own": async ({ storage: { tokens } }) => {
    const record = await tokens.issueToken(token(1));
    expectId(record.tokenId);
    assert.deepEqual(record, { ...token(1), tokenId: record.tokenId, revokedAt: null, lastUsedAt: null });
  },

  "a token is found by its digest, also after a restart": async ({ storage, reopen }) => {
    const issued = [token(1), token(2, { expiresAt: null, scopes: [], name: null })];
    const records = await Promise.all(issued.map((one) => storage.tokens.issueToken(one)));
    const { tokens } = await reopen();
    for (const record of records) assert.deepEqual(await tokens.findToken(record.digest), record);
    assert.equal(await tokens.findToken(digitsOf(3, 64)), null);
  },

  "ids rise in the order of the calls": async ({ storage: { tokens } }) => {
    const issued = await Promise.all(Array.from({ length: 20 }, (_, index) => tokens.issueToken(token(index))));
    expectRising(fieldsOf(issued, "tokenId"), "The ids of tokens");
  },

  "a list has all tokens, or those of one user, by id, in pages": async ({ storage: { tokens } }) => {
    const issued = await Promise.all(
      Array.from({ length: 9 }, (_, index) => tokens.issueToken(token(index, { userId: 7 + (index % 2) }))),
    );
    const ofOther = issued.filter(({ userId }) => userId === 8);
    const after = issued[3]?.tokenId ?? 0;
    const first = { after: 0, limit: 10 };
    assert.deepEqual(await tokens.listTokens({ userId: null, ...first }), issued);
    assert.deepEqual(await tokens.listTokens({ userId: null, after, limit: 3 }), issued.slice(4, 7));
    assert.deepEqual(await tokens.listTokens({ userId: 8, ...first }), ofOther);
    assert.deepEqual(await tokens.listTokens({ userId: 8, after, limit: 1 }), ofOther.slice(2, 3));
    assert.deepEqual(await tokens.listTokens({ userId: 8, after: ofOther.at(-1)?.tokenId ?? 0, limit: 1 }), []);
    assert.deepEqual(await tokens.listTokens({ userId: 9, ...first }), []);
  },

  "the live tokens of a user are listed newest first, up to a limit": async ({ storage: { tokens } }) => {
    const endless = await tokens.issueToken(token(1, { expiresAt: null }));
    const lasting = await tokens.issueToken(token(5, { expiresAt: now + 11 }));
    assert.deepEqual(await tokens.listLiveTokens(7, { now: now + 10, limit: 10 }), [lasting, endless]);
    assert.deepEqual(await tokens.listLiveTokens(7, { now: now + 10, limit: 1 }), [lasting]);
  },

  "a token that has expired, was revoked or is another user's is not listed as live": async ({
    storage: { tokens },
  }) => {
    await tokens.issueToken(token(2, { expiresAt: now + 10 }));
    await tokens.issueToken(token(4, { userId: 8 }));
    await issueRevoked(tokens);
    assert.deepEqual(await tokens.listLiveTokens(7, { now: now + 10, limit: 10 }), []);
  },

  "a use moves the last use forward, never back": async ({ storage: { tokens } }) => {
    const { tokenId, digest } = await tokens.issueToken(token(1));
    for (const [at, last] of [
      [20, 20],
      [10, 20],
      [30, 30],
    ] as const) {
      await tokens.touchToken(tokenId, now + at);
      assert.equal((await tokens.findToken(digest))?.lastUsedAt, now + last);
    }
  },

  "a use is that of one token, and listed": async ({ storage: { tokens } }) => {
    const [first, other] = [await tokens.issueToken(token(1)), await tokens.issueToken(token(2))];
    for (const tokenId of [first.tokenId, other.tokenId + 1]) await tokens.touchToken(tokenId, now + 30);
    assert.deepEqual(fieldsOf(await tokens.listLiveTokens(7, { now, limit: 10 }), "lastUsedAt"), [null, now + 30]);
  },

  "the last use survives a restart": async ({ storage, reopen }) => {
    const { tokenId, digest } = await storage.tokens.issueToken(token(1));
    await storage.tokens.touchToken(tokenId, now + 30);
    const { tokens } = await reopen();
    const [listed] = await tokens.listTokens({ userId: 7, after: 0, limit: 1 });
    assert.deepEqual([(await tokens.findToken(digest))?.lastUsedAt, listed?.lastUsedAt], [now + 30, now + 30]);
  },

  "tokens that are issued simultaneously all get ids of their own": async ({ storage, race }) => {
    const issued = await race(20, ({ tokens }, caller) => tokens.issueToken(token(caller)));
    assert.equal(new Set(issued.map(({ tokenId }) => tokenId)).size, 20);
    assert.equal((await storage.tokens.listTokens({ userId: null, after: 0, limit: 100 })).length, 20);
  },
});
