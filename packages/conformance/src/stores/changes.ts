import assert from "node:assert/strict";
import type { Change, ChangeFeed, Storage, UserStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { expectRising, fieldsOf, withOutcome } from "../support/expect.ts";
import { claim, digitsOf, now, person, printer } from "../support/fixtures.ts";

const room = { groupType: 1, name: "Room", ext: null, bot: null, avatar: null, createdAt: now } as const;
const token = { userId: 7, digest: digitsOf(1, 64), name: null, scopes: [], createdAt: now, expiresAt: null };

/** Changes after a number, which are all there. */
export async function changesSince(feed: ChangeFeed, seq: number): Promise<readonly Change[]> {
  const changes = await feed.since(seq);
  assert.ok(changes !== null, "changes of the last hour are missing");
  return changes;
}

/** The kinds and keys of the changes after a number. */
export const changeNames = async (feed: ChangeFeed, seq: number): Promise<string[]> =>
  (await changesSince(feed, seq)).map(({ kind, key }) => `${kind} ${key}`);

/** The changes that a step makes, without their numbers. */
async function changesOf({ changes }: Storage, step: () => Promise<unknown>): Promise<string[]> {
  const before = await changes.latest();
  await step();
  return changeNames(changes, before);
}

/** Changes a user this number of times, because a storage may remove old changes only now and then. */
async function changeOften({ users }: Storage, userId: number): Promise<void> {
  await Promise.all(Array.from({ length: 1030 }, (_, index) => users.amendUser(userId, { phone: `${index}` })));
}

async function changeTenTimes(users: UserStore): Promise<void> {
  const { userId } = withOutcome(await users.appendUser(person()), "appended").user;
  for (let round = 0; round < 10; round += 1) await users.amendUser(userId, { nickname: `${round}` });
}

/** Every change after a number. */
async function readAll(feed: ChangeFeed, after: number): Promise<Change[]> {
  const all: Change[] = [];
  for (
    let some = await changesSince(feed, after);
    some.length > 0;
    some = await changesSince(feed, some.at(-1)?.seq ?? 0)
  ) {
    all.push(...some);
  }
  return all;
}

const addUser = async ({ users }: Storage, ext: string | null = null): Promise<number> =>
  withOutcome(await users.appendUser(person({ ext })), "appended").user.userId;

/** Promises of a storage about its change feed. */
export const changeCases: readonly StorageCase[] = defineCases("changes", {
  "nothing has changed in a new storage": async ({ storage: { changes } }) => {
    assert.equal(await changes.latest(), 0);
    assert.deepEqual(await changesSince(changes, 0), []);
  },

  "a revoked token is a change, once": async ({ storage }) => {
    const { tokenId } = await storage.tokens.issueToken(token);
    const revoke = () => storage.tokens.revokeToken({ digest: token.digest }, now);
    assert.deepEqual(await changesOf(storage, revoke), [`token ${tokenId}`]);
    assert.deepEqual(await changesOf(storage, revoke), []);
  },

  "a failed revocation reports no change": async ({ storage }) => {
    const { tokenId } = await storage.tokens.issueToken(token);
    const missing = () => storage.tokens.revokeToken({ tokenId: tokenId + 1 }, now);
    assert.deepEqual(await changesOf(storage, missing), []);
  },

  "changed fields of a user are a change": async ({ storage }) => {
    const userId = await addUser(storage);
    const changes = await changesOf(storage, () => storage.users.amendUser(userId, { nickname: "Grace" }));
    assert.deepEqual(changes, [`user ${userId}`]);
  },

  "a refused change of a user reports no change": async ({ storage }) => {
    const userId = await addUser(storage);
    await addUser(storage, "10001");
    assert.deepEqual(await changesOf(storage, () => storage.users.amendUser(userId, { ext: "10001" })), []);
    assert.deepEqual(await changesOf(storage, () => storage.users.amendUser(userId + 9, { ext: "1" })), []);
  },

  "a user who is removed is a change, once": async ({ storage }) => {
    const userId = await addUser(storage);
    assert.deepEqual(await changesOf(storage, () => storage.users.dropUser(userId, now)), [`user ${userId}`]);
    assert.deepEqual(await changesOf(storage, () => storage.users.dropUser(userId, now)), []);
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

  "changes come in order, with rising numbers, the latest last": async ({ storage: { users, changes } }) => {
    await changeTenTimes(users);
    const all = await changesSince(changes, 0);
    expectRising(fieldsOf(all, "seq"), "The numbers of changes");
    assert.deepEqual([all.length, all.at(-1)?.seq], [10, await changes.latest()]);
  },

  "changes come after the one that is known": async ({ storage: { users, changes } }) => {
    await changeTenTimes(users);
    const all = await changesSince(changes, 0);
    for (const [index, { seq }] of all.entries())
      assert.deepEqual(await changesSince(changes, seq), all.slice(index + 1));
    assert.deepEqual(await changesSince(changes, Number.MAX_SAFE_INTEGER), []);
  },

  "a change is visible to another connection when its verb has resolved": async ({ storage, second }) => {
    const { changes } = await second();
    const before = await changes.latest();
    const { tokenId } = await storage.tokens.issueToken(token);
    await storage.tokens.revokeToken({ tokenId }, now);
    assert.deepEqual(await changeNames(changes, before), [`token ${tokenId}`]);
    assert.equal(await changes.latest(), (await changesSince(changes, before))[0]?.seq);
  },

  "a reader that follows the feed misses nothing that is changed simultaneously": async ({ storage, race }) => {
    const userId = await addUser(storage);
    const seen: Change[] = [];
    let position = await storage.changes.latest();
    const follow = async (): Promise<void> => {
      for (const change of await changesSince(storage.changes, position)) {
        seen.push(change);
        position = change.seq;
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

  "changes in the feed are in force": async ({ storage, race }) => {
    for (let round = 0; round < 10; round += 1) {
      const userId = await addUser(storage);
      const before = await storage.changes.latest();
      const [, seen] = await race<string | undefined>(2, async ({ changes, users }, caller) => {
        if (caller === 0) {
          await users.amendUser(userId, { nickname: "Grace" });
          return "Grace";
        }
        while ((await changesSince(changes, before)).length === 0);
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
    const first = await changesSince(storage.changes, 0);
    assert.equal(first.length, 1000);
    const rest = await changesSince(storage.changes, first.at(-1)?.seq ?? 0);
    assert.equal(rest.length, 10);
    assert.equal(rest.at(-1)?.seq, await storage.changes.latest());
  },

  "a reader that asks for removed changes learns that they are missing": async ({ storage, advance }) => {
    const userId = await addUser(storage);
    await changeOften(storage, userId);
    const old = await readAll(storage.changes, 0);
    await advance(2 * 60 * 60_000);
    await changeOften(storage, userId);
    await advance(60_000);
    const fresh = await readAll(storage.changes, old.at(-1)?.seq ?? 0);
    assert.equal(fresh.length, 1030);
    const all = [...old, ...fresh];
    for (const place of [0, 10, old.length - 1]) {
      const changes = await storage.changes.since(place === 0 ? 0 : (all[place - 1]?.seq ?? 0));
      if (changes !== null) assert.deepEqual(changes, all.slice(place, place + 1000));
    }
    await advance(2 * 60 * 60_000);
    assert.equal(await storage.changes.latest(), all.at(-1)?.seq);
    assert.deepEqual(await storage.changes.since(await storage.changes.latest()), []);
    const last = await storage.changes.since(all.at(-3)?.seq ?? 0);
    if (last !== null) assert.deepEqual(last, all.slice(-2));
  },

  "the feed continues after a restart": async ({ storage, reopen }) => {
    const userId = await addUser(storage);
    await storage.users.amendUser(userId, { nickname: "before" });
    const latest = await storage.changes.latest();
    const { changes, users } = await reopen();
    assert.equal(await changes.latest(), latest);
    await users.amendUser(userId, { nickname: "after" });
    const after = await changesSince(changes, latest);
    assert.deepEqual(fieldsOf(after, "key"), [String(userId)]);
  },
});
