import assert from "node:assert/strict";
import type { UserRecord, UserStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, expectId, expectOutcome, expectRising, fieldsOf, withOutcome } from "../support/expect.ts";
import { now, person } from "../support/fixtures.ts";

const given = person({
  nickname: "单于 \u{1F426}",
  ext: "10001",
  phone: "+86 10",
  avatar: "ab".repeat(16),
  ai: "模型/1",
  oneBot: '{"protocol":12}',
});

const add = async (store: UserStore, different: Partial<UserRecord> = {}): Promise<UserRecord> =>
  withOutcome(await store.appendUser(person(different)), "appended").user;

/** Adds users that their nicknames number, all called for simultaneously, in their order. */
const addMany = (store: UserStore, count: number): Promise<UserRecord[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => add(store, { nickname: `${index}` })));

/** Promises of a storage about people. */
export const userCases: readonly StorageCase[] = defineCases("users", {
  "a user is kept as given, under an id of their own": async ({ storage: { users } }) => {
    const { user } = withOutcome(await users.appendUser(given), "appended");
    expectId(user.userId);
    assert.deepEqual(user, { ...given, userId: user.userId });
  },

  "a user is found by the id and by the ID of the external network, also after a restart": async (ground) => {
    const user = await add(ground.storage.users, given);
    const { users } = await ground.reopen();
    assert.deepEqual(await users.findUser(user.userId), user);
    assert.deepEqual(await users.findUserByExt("10001"), user);
  },

  "a lookup of many users finds those that exist, as single lookups do": async ({ storage: { users } }) => {
    const added = await addMany(users, 30);
    const gone = added[3]?.userId ?? 0;
    await users.dropUser(gone, now);
    const asked = added.filter((_, at) => at % 3 === 0).map(({ userId }) => userId);
    const found = await users.findUsers([...asked, 999_999_999]);
    const alone = await Promise.all(asked.map((userId) => users.findUser(userId)));
    assert.deepEqual(
      found.toSorted((a, b) => a.userId - b.userId),
      alone.filter((user) => user !== null),
    );
    assert.equal(found.length, 9);
    assert.deepEqual(await users.findUsers([]), []);
  },

  "a user who does not exist is not found": async ({ storage: { users } }) => {
    const { userId } = await add(users);
    assert.equal(await users.findUser(userId + 1), null);
    assert.equal(await users.findUser(Number.MAX_SAFE_INTEGER), null);
    assert.equal(await users.findUserByExt("10001"), null);
  },

  "a change of a user who does not exist changes no user": async ({ storage: { users } }) => {
    const user = await add(users);
    assert.deepEqual(await users.amendUser(user.userId + 1, { nickname: "Nobody" }), { outcome: "missing" });
    assert.deepEqual(await users.listUsers({ after: 0, limit: 10 }), [user]);
  },

  "ids rise in the order of the calls": async ({ storage: { users } }) => {
    expectRising(fieldsOf(await addMany(users, 20), "userId"), "The ids of users");
  },

  "an ID of the external network belongs to one user": async ({ storage: { users } }) => {
    const first = await add(users, { ext: "10001" });
    assert.deepEqual(await users.appendUser(person({ ext: "10001" })), { outcome: "ext_taken" });
    assert.deepEqual(await users.findUserByExt("10001"), first);
    assert.deepEqual(await users.listUsers({ after: 0, limit: 10 }), [first]);
  },

  "a change to an ID of the external network that is taken changes nothing": async ({ storage: { users } }) => {
    const [first, second] = [await add(users, { ext: "10001" }), await add(users, { ext: "10002" })];
    const change = { ext: "10001", nickname: "Changed" };
    assert.deepEqual(await users.amendUser(second.userId, change), { outcome: "ext_taken" });
    assert.deepEqual([await users.findUser(second.userId), await users.findUserByExt("10001")], [second, first]);
  },

  "IDs of the external network differ by every letter": async ({ storage: { users } }) => {
    for (const ext of ["abc", "ABC", "abc ", "1", "01"]) await add(users, { ext });
    assert.equal((await users.findUserByExt("ABC"))?.ext, "ABC");
    assert.equal(await users.findUserByExt("Abc"), null);
  },

  "many users have no ID of the external network": async ({ storage: { users } }) => {
    await add(users, { ext: null });
    const second = await add(users, { ext: null });
    for (const ext of ["1", null]) expectOutcome(await users.amendUser(second.userId, { ext }), "amended");
    assert.equal(await users.findUserByExt("1"), null);
  },

  "of 20 users with one ID of the external network exactly one is added": async ({ storage, race }) => {
    const results = await race(20, ({ users }) => users.appendUser(person({ ext: "10001" })));
    assert.deepEqual(countOutcomes(results), { appended: 1, ext_taken: 19 });
    assert.equal((await storage.users.listUsers({ after: 0, limit: 50 })).length, 1);
  },

  "of 10 users that want the same ID of the external network one gets it": async ({ storage, race }) => {
    const added = await addMany(storage.users, 10);
    const results = await race(10, ({ users }, caller) => users.amendUser(added[caller]?.userId ?? 0, { ext: "1" }));
    assert.deepEqual(countOutcomes(results), { amended: 1, ext_taken: 9 });
  },

  "a change changes the given fields only": async ({ storage: { users } }) => {
    const user = await add(users, { ext: "1", phone: "2" });
    const [first, second] = [{ nickname: "Grace" }, { phone: null, avatar: "cd".repeat(16), ai: "echo" }];
    for (const change of [first, second]) expectOutcome(await users.amendUser(user.userId, change), "amended");
    assert.deepEqual(await users.findUser(user.userId), { ...user, ...first, ...second });
  },

  "a change returns the changed user": async ({ storage: { users } }) => {
    const user = await add(users, { ext: "1", phone: "2" });
    const answer = { outcome: "amended", user: { ...user, nickname: "Grace" } };
    assert.deepEqual(await users.amendUser(user.userId, { nickname: "Grace" }), answer);
    assert.deepEqual(await users.amendUser(user.userId, {}), answer);
  },

  "a new ID of the external network frees the old one": async ({ storage: { users } }) => {
    const { userId } = await add(users, { ext: "1" });
    for (const ext of ["1", "2"]) expectOutcome(await users.amendUser(userId, { ext }), "amended");
    assert.deepEqual([await users.findUserByExt("1"), (await users.findUserByExt("2"))?.userId], [null, userId]);
    expectOutcome(await users.appendUser(person({ ext: "1" })), "appended");
  },

  "simultaneous changes of different fields are all kept": async ({ storage, race }) => {
    const { userId } = await add(storage.users);
    const changes = [
      { nickname: "Grace" },
      { ext: "1" },
      { phone: "2" },
      { avatar: "ef".repeat(16) },
      { ai: "echo" },
      { oneBot: "{}" },
    ];
    await race(6, ({ users }, caller) => users.amendUser(userId, changes[caller] ?? {}));
    const texts = { nickname: "Grace", ext: "1", phone: "2", avatar: "ef".repeat(16), ai: "echo", oneBot: "{}" };
    assert.deepEqual(await storage.users.findUser(userId), { userId, createdAt: now, suspended: false, ...texts });
  },

  "the models among the users are listed by id, in their current state": async ({ storage, reopen }) => {
    const { users } = storage;
    const first = await add(users, { ai: "echo" });
    const other = await add(users);
    const second = await add(users, { ai: "llama3:8b" });
    assert.deepEqual(await users.listModels(), [first, second]);
    await users.amendUser(first.userId, { ai: null });
    await users.amendUser(second.userId, { nickname: "Grace" });
    await users.amendUser(other.userId, { ai: "echo" });
    const after = [
      { ...other, ai: "echo" },
      { ...second, nickname: "Grace" },
    ];
    assert.deepEqual(await users.listModels(), after);
    assert.deepEqual(await (await reopen()).users.listModels(), after);
  },

  "users whom frameworks reach are listed by id, in their current state": async ({ storage, reopen }) => {
    const { users } = storage;
    const first = await add(users, { oneBot: "{}" });
    const other = await add(users);
    const second = await add(users, { oneBot: '{"protocol":12}' });
    assert.deepEqual(await users.listOneBots(), [first, second]);
    await users.amendUser(first.userId, { oneBot: null });
    await users.amendUser(second.userId, { nickname: "Grace" });
    await users.amendUser(other.userId, { oneBot: "{}" });
    const renamed = { ...second, nickname: "Grace" };
    const after = [{ ...other, oneBot: "{}" }, renamed];
    assert.deepEqual(await users.listOneBots(), after);
    await users.dropUser(second.userId, now);
    assert.deepEqual(await users.listOneBots(), after.slice(0, 1));
    assert.deepEqual(await (await reopen()).users.listOneBots(), after.slice(0, 1));
  },

  "a removed user is gone, frees the ID of the external network, and is no model": async ({ storage, reopen }) => {
    const { users } = storage;
    const user = await add(users, { ext: "10001", ai: "echo" });
    const other = await add(users, { ai: "echo" });
    assert.equal(await users.dropUser(user.userId, now), true);
    assert.equal(await users.dropUser(user.userId, now), false);
    assert.equal(await users.dropUser(other.userId + 1, now), false);
    const after = (await reopen()).users;
    assert.equal(await after.findUser(user.userId), null);
    assert.equal(await after.findUserByExt("10001"), null);
    assert.deepEqual(await after.amendUser(user.userId, { nickname: "Back" }), { outcome: "missing" });
    assert.deepEqual(await after.listUsers({ after: 0, limit: 10 }), [other]);
    assert.deepEqual(await after.listModels(), [other]);
    expectOutcome(await after.appendUser(person({ ext: "10001" })), "appended");
  },

  "the id of a user who was removed is not given again": async ({ storage, reopen }) => {
    const { userId } = await add(storage.users);
    await storage.users.dropUser(userId, now);
    const next = await add((await reopen()).users);
    assert.ok(next.userId > userId, `${next.userId} is not above ${userId}`);
  },

  "of 10 simultaneous removals of a user exactly one removes, and no change brings the user back": async ({
    storage,
    race,
  }) => {
    const { userId } = await add(storage.users, { ext: "10001" });
    const results = await race<unknown>(20, ({ users }, caller) =>
      caller % 2 === 0 ? users.dropUser(userId, now) : users.amendUser(userId, { nickname: `${caller}`, ext: "10002" }),
    );
    assert.equal(results.filter((result) => result === true).length, 1);
    assert.equal(await storage.users.findUser(userId), null);
    assert.equal(await storage.users.findUserByExt("10001"), null);
    assert.equal(await storage.users.findUserByExt("10002"), null);
  },

  "a list goes by id": async ({ storage: { users } }) => {
    const added = await addMany(users, 7);
    const list = (after: number, limit: number) => users.listUsers({ after, limit });
    assert.deepEqual(await list(0, 100), added);
    assert.deepEqual(
      [await list(added[2]?.userId ?? 0, 3), await list(added[6]?.userId ?? 0, 3)],
      [added.slice(3, 6), []],
    );
  },
});
