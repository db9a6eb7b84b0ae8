import assert from "node:assert/strict";
import type { Change, Storage } from "../src/storage/storage.ts";
import { defineCases, type StorageCase } from "./case.ts";
import { expectOutcome, expectRising } from "./expect.ts";
import { claim, digitsOf, now, person, printer } from "./fixtures.ts";

const room = { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: now } as const;
const token = { userId: 7, digest: digitsOf(1, 64), name: null, scopes: [], createdAt: now, expiresAt: null };

/** The changes that a step makes, without their numbers. */
async function changesOf(storage: Storage, step: () => Promise<unknown>): Promise<string[]> {
  const before = await storage.changes.latest();
  await step();
  const changes = await storage.changes.since(before);
  return changes.map(({ kind, key }) => `${kind} ${key}`);
}

async function addUser({ users }: Storage, ext: string | null = null): Promise<number> {
  const appended = await users.appendUser(person({ ext }));
  expectOutcome(appended, "appended");
  return appended.user.userId;
}

/** What a storage promises of its change feed. */
export const changeCases: readonly StorageCase[] = defineCases("changes", {
  "nothing has changed in a new storage": async ({ storage: { changes } }) => {
    assert.equal(await changes.latest(), 0);
    assert.deepEqual(await changes.since(0), []);
  },

  "a revoked token is a change, once": async ({ storage }) => {
    const { tokenId } = await storage.tokens.issueToken(token);
    const revoke = () => storage.tokens.revokeToken({ digest: token.digest }, now);
    assert.deepEqual(await changesOf(storage, revoke), [`token ${tokenId}`]);
    const missing = () => storage.tokens.revokeToken({ tokenId: tokenId + 1 }, now);
    assert.deepEqual(await changesOf(storage, missing), []);
  },

  "changed fields of a user are a change": async ({ storage }) => {
    const userId = await addUser(storage);
    await addUser(storage, "10001");
    assert.deepEqual(await changesOf(storage, () => storage.users.amendUser(userId, { nickname: "Grace" })), [
      `user ${userId}`,
    ]);
    assert.deepEqual(await changesOf(storage, () => storage.users.amendUser(userId, { ext: "10001" })), []);
    assert.deepEqual(await changesOf(storage, () => storage.users.amendUser(userId + 9, { ext: "1" })), []);
    assert.deepEqual(await changesOf(storage, () => storage.users.dropUser(userId)), [`user ${userId}`]);
    assert.deepEqual(await changesOf(storage, () => storage.users.dropUser(userId)), []);
  },

  "a room's members and their cards are a change": async ({ storage }) => {
    const { groups } = storage;
    let groupId = 0;
    const append = async () => {
      groupId = (await groups.appendGroup(room, [7])).groupId;
    };
    const appended = await changesOf(storage, append);
    assert.deepEqual(appended, [`members ${groupId}`]);
    const amend = () => groups.amendMembers(groupId, { add: [8], remove: [7] });
    assert.deepEqual(await changesOf(storage, amend), [`members ${groupId}`]);
    assert.deepEqual(await changesOf(storage, () => groups.amendCard(groupId, 8, "card")), [`members ${groupId}`]);
    assert.deepEqual(await changesOf(storage, () => groups.amendCard(groupId, 7, "card")), []);
    assert.deepEqual(await changesOf(storage, () => groups.amendMembers(groupId + 1, { add: [8], remove: [] })), []);
    assert.deepEqual(await changesOf(storage, () => groups.amendGroup(groupId, { name: "Renamed" })), [
      `members ${groupId}`,
    ]);
    assert.deepEqual(await changesOf(storage, () => groups.amendGroup(groupId + 1, { name: "Renamed" })), []);
    assert.deepEqual(await changesOf(storage, () => groups.dropGroup(groupId)), [`members ${groupId}`]);
    assert.deepEqual(await changesOf(storage, () => groups.dropGroup(groupId)), []);
  },

  "who holds an ID is a change, and so is its generation": async ({ storage }) => {
    const { teleprinter } = storage;
    const key = `device ${printer.deviceId}`;
    assert.deepEqual(await changesOf(storage, () => claim(teleprinter)), [key]);
    const foreign = { ...printer, owner: 8 };
    assert.deepEqual(await changesOf(storage, () => teleprinter.claimDevice({ ...foreign, name: "Mine", now })), []);
    assert.deepEqual(await changesOf(storage, () => teleprinter.releaseDevice(foreign)), []);
    assert.deepEqual(await changesOf(storage, () => teleprinter.pairDevice({ ...foreign, name: "Mine", now })), []);
    assert.deepEqual(await changesOf(storage, () => teleprinter.pairDevice({ ...printer, name: "Mine", now })), [key]);
    assert.deepEqual(await changesOf(storage, () => teleprinter.releaseDevice(printer)), [key]);
  },

  "changes come in order, with rising numbers, after the one that is known": async ({ storage }) => {
    const userId = await addUser(storage);
    for (let round = 0; round < 10; round += 1) await storage.users.amendUser(userId, { nickname: `${round}` });
    const all = await storage.changes.since(0);
    assert.equal(all.length, 10);
    expectRising(
      all.map(({ seq }) => seq),
      "The numbers of changes",
    );
    assert.equal(await storage.changes.latest(), all.at(-1)?.seq);
    for (const [index, { seq }] of all.entries()) {
      assert.deepEqual(await storage.changes.since(seq), all.slice(index + 1));
    }
    assert.deepEqual(await storage.changes.since(Number.MAX_SAFE_INTEGER), []);
  },

  "a change is visible to another connection when its verb has resolved": async ({ storage, second }) => {
    const { changes } = await second();
    const before = await changes.latest();
    const { tokenId } = await storage.tokens.issueToken(token);
    await storage.tokens.revokeToken({ tokenId }, now);
    const seen = await changes.since(before);
    assert.deepEqual(
      seen.map(({ kind, key }) => [kind, key]),
      [["token", String(tokenId)]],
    );
    assert.equal(await changes.latest(), seen[0]?.seq);
  },

  "a reader that follows the feed misses nothing that is changed simultaneously": async ({ storage, race }) => {
    const userId = await addUser(storage);
    const seen: Change[] = [];
    let known = await storage.changes.latest();
    const follow = async (): Promise<void> => {
      for (const change of await storage.changes.since(known)) {
        seen.push(change);
        known = change.seq;
      }
    };
    await race(40, async ({ groups, users }, caller) => {
      if (caller % 4 === 0) await follow();
      else if (caller % 2 === 0) await users.amendUser(userId, { nickname: `${caller}` });
      else await groups.appendGroup(room, [caller]);
      await follow();
    });
    await follow();
    const numbers = new Set(seen.map(({ seq }) => seq));
    const kinds = (kind: Change["kind"]): number => seen.filter((change) => change.kind === kind).length;
    assert.ok(numbers.size >= 30, `${numbers.size} of 30 changes were seen`);
    assert.ok(kinds("user") >= 10 && kinds("members") >= 20, "a kind of change was missed");
  },

  "what the feed tells is in force": async ({ storage, race }) => {
    for (let round = 0; round < 10; round += 1) {
      const userId = await addUser(storage);
      const before = await storage.changes.latest();
      const [, seen] = await race<string | undefined>(2, async ({ changes, users }, caller) => {
        if (caller === 0) {
          await users.amendUser(userId, { nickname: "Grace" });
          return "Grace";
        }
        while ((await changes.since(before)).length === 0);
        return (await users.findUser(userId))?.nickname;
      });
      assert.equal(seen, "Grace");
    }
  },

  "of very many changes at most 1000 come in one call, the oldest first": async ({ storage }) => {
    const userId = await addUser(storage);
    await Promise.all(
      Array.from({ length: 1010 }, (_, index) => storage.users.amendUser(userId, { phone: `${index}` })),
    );
    const first = await storage.changes.since(0);
    assert.equal(first.length, 1000);
    const rest = await storage.changes.since(first.at(-1)?.seq ?? 0);
    assert.equal(rest.length, 10);
    assert.equal(rest.at(-1)?.seq, await storage.changes.latest());
  },

  "the feed goes on after a restart": async ({ storage, reopen }) => {
    const userId = await addUser(storage);
    await storage.users.amendUser(userId, { nickname: "before" });
    const latest = await storage.changes.latest();
    const { changes, users } = await reopen();
    assert.equal(await changes.latest(), latest);
    await users.amendUser(userId, { nickname: "after" });
    const after = await changes.since(latest);
    assert.deepEqual(
      after.map(({ key }) => key),
      [String(userId)],
    );
  },
});
