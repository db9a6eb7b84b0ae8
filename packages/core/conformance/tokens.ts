import assert from "node:assert/strict";
import type { TokenIssue } from "../src/users/store.ts";
import { defineCases, type StorageCase } from "./case.ts";
import { expectRising, fieldsOf } from "./expect.ts";
import { digitsOf, now } from "./fixtures.ts";

const token = (number: number, different: Partial<TokenIssue> = {}): TokenIssue => ({
  userId: 7,
  digest: digitsOf(number, 64),
  name: "Kitchen 厨房",
  scopes: ["chat", "device:printer-1"],
  createdAt: now,
  expiresAt: now + 1000,
  ...different,
});

/** What a storage promises of access tokens. */
export const tokenCases: readonly StorageCase[] = defineCases("tokens", {
  "a token is kept as given, under an id of its own, and found by its digest": async ({ storage, reopen }) => {
    const record = await storage.tokens.issueToken(token(1));
    assert.ok(Number.isSafeInteger(record.tokenId) && record.tokenId > 0, `${record.tokenId} is no id`);
    assert.deepEqual(record, { ...token(1), tokenId: record.tokenId, revokedAt: null, lastUsedAt: null });
    const endless = await storage.tokens.issueToken(token(2, { expiresAt: null, scopes: [], name: null }));
    const { tokens } = await reopen();
    assert.deepEqual(await tokens.findToken(digitsOf(1, 64)), record);
    assert.deepEqual(await tokens.findToken(digitsOf(2, 64)), endless);
    assert.equal(await tokens.findToken(digitsOf(3, 64)), null);
  },

  "ids rise in the order of the calls": async ({ storage: { tokens } }) => {
    const issued = await Promise.all(Array.from({ length: 20 }, (_, index) => tokens.issueToken(token(index))));
    const ids = issued.map(({ tokenId }) => tokenId);
    expectRising(ids, "The ids of tokens");
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
    await tokens.issueToken(token(2, { expiresAt: now + 10 }));
    const revoked = await tokens.issueToken(token(3));
    await tokens.revokeToken({ tokenId: revoked.tokenId }, now + 1);
    await tokens.issueToken(token(4, { userId: 8 }));
    const lasting = await tokens.issueToken(token(5, { expiresAt: now + 11 }));
    assert.deepEqual(await tokens.listLiveTokens(7, { now: now + 10, limit: 10 }), [lasting, endless]);
    assert.deepEqual(await tokens.listLiveTokens(7, { now: now + 10, limit: 1 }), [lasting]);
    assert.deepEqual(await tokens.listLiveTokens(9, { now, limit: 10 }), []);
  },

  "a use moves the last use forward, never back": async ({ storage, reopen }) => {
    const { tokens } = storage;
    const { tokenId, digest } = await tokens.issueToken(token(1));
    const other = await tokens.issueToken(token(2));
    const lastUse = async () => (await tokens.findToken(digest))?.lastUsedAt;
    await tokens.touchToken(tokenId, now + 20);
    assert.equal(await lastUse(), now + 20);
    await tokens.touchToken(tokenId, now + 10);
    assert.equal(await lastUse(), now + 20);
    await tokens.touchToken(tokenId, now + 30);
    await tokens.touchToken(other.tokenId + 1, now + 40);
    const listed = await tokens.listLiveTokens(7, { now, limit: 10 });
    assert.deepEqual(fieldsOf(listed, "lastUsedAt"), [null, now + 30]);
    const { tokens: later } = await reopen();
    assert.equal((await later.findToken(digest))?.lastUsedAt, now + 30);
    assert.equal((await later.listTokens({ userId: 7, after: 0, limit: 1 }))[0]?.lastUsedAt, now + 30);
  },

  "a user revokes only a token of their own": async ({ storage: { tokens } }) => {
    const issued = await tokens.issueToken(token(1));
    assert.equal(await tokens.revokeToken({ tokenId: issued.tokenId, userId: 8 }, now + 5), null);
    assert.deepEqual(await tokens.findToken(issued.digest), issued);
    const revoked = await tokens.revokeToken({ tokenId: issued.tokenId, userId: 7 }, now + 6);
    assert.deepEqual(revoked, { ...issued, revokedAt: now + 6 });
  },

  "a token is revoked by its id or its digest, and stays found": async ({ storage, reopen }) => {
    const { tokens } = storage;
    const first = await tokens.issueToken(token(1));
    const second = await tokens.issueToken(token(2));
    const third = await tokens.issueToken(token(3));
    const byId = await tokens.revokeToken({ tokenId: first.tokenId }, now + 5);
    assert.deepEqual(byId, { ...first, revokedAt: now + 5 });
    const byDigest = await tokens.revokeToken({ digest: second.digest }, now + 6);
    assert.deepEqual(byDigest, { ...second, revokedAt: now + 6 });
    const { tokens: later } = await reopen();
    assert.deepEqual(await later.findToken(first.digest), byId);
    assert.deepEqual(await later.listTokens({ userId: null, after: 0, limit: 10 }), [byId, byDigest, third]);
  },

  "what is no token cannot be revoked": async ({ storage: { tokens } }) => {
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

  "tokens that are issued simultaneously all get ids of their own": async ({ storage, race }) => {
    const issued = await race(20, ({ tokens }, caller) => tokens.issueToken(token(caller)));
    assert.equal(new Set(issued.map(({ tokenId }) => tokenId)).size, 20);
    assert.equal((await storage.tokens.listTokens({ userId: null, after: 0, limit: 100 })).length, 20);
  },
});
