import assert from "node:assert/strict";
import type { Account, AccountStore } from "@telex/core/storage";
import { defineCases, type StorageCase } from "../support/case.ts";
import { countOutcomes, withOutcome } from "../support/expect.ts";
import { now, person } from "../support/fixtures.ts";
import { accountOf, linkOf, sessionOf, useOf } from "./fixtures.ts";

async function addAccount(store: AccountStore, ...args: Parameters<typeof accountOf>): Promise<Account> {
  return withOutcome(await store.createAccount(accountOf(...args)), "created").account;
}

const passkey = {
  credentialId: "c",
  name: "Laptop",
  publicKey: "pk",
  counter: 0,
  transports: ["internal"],
  createdAt: now,
  lastUsedAt: null,
};
const prompts = '[{"id":"1","name":"\u202e茶 🏳️‍🌈","text":"a\\nb"}]';
const identity = { issuer: "https://id.example", subject: "s", name: "ada", createdAt: now };

/** Promises about accounts, sessions and links. */
export const accountCases: readonly StorageCase[] = defineCases("accounts", {
  "an account is found by user, username, passkey and identity, also after a restart": async ({ storage, reopen }) => {
    const account = await addAccount(storage.accounts, "ada", { passkeys: [passkey], identities: [identity], prompts });
    assert.equal(account.prompts, prompts);
    const { accounts, users } = await reopen();
    const { userId } = account;
    const keys = [{ userId }, { usernameKey: "ada" }, { credentialId: "c" }, { issuer: identity.issuer, subject: "s" }];
    for (const key of keys) assert.deepEqual(await accounts.findAccount(key), account);
    assert.equal(await accounts.findAccount({ usernameKey: "grace" }), null);
    assert.equal((await users.findUser(userId))?.nickname, "ada");
    assert.deepEqual(await accounts.listAccounts({ after: 0, limit: 10 }), [account]);
  },

  "of many accounts those are found that exist, each with its own ways to sign in": async ({ storage }) => {
    const { accounts, users } = storage;
    const [first, , third] = [
      await addAccount(accounts, "ada", { passkeys: [passkey] }),
      await addAccount(accounts, "grace", { identities: [identity] }),
      await addAccount(accounts, "joan", { identities: [{ ...identity, subject: "t" }] }),
    ];
    const removed = await addAccount(accounts, "mary");
    await users.dropUser(removed.userId, now);
    const found = await accounts.findAccounts([third.userId, removed.userId, 999_999_999, first.userId]);
    assert.deepEqual(
      found.toSorted((a, b) => a.userId - b.userId),
      [first, third],
    );
    assert.deepEqual(await accounts.findAccounts([]), []);
  },

  "of 10 simultaneous callers with one username, one gets it, and no other user is left": async ({ storage, race }) => {
    const results = await race(10, ({ accounts }) => accounts.createAccount(accountOf("ada")));
    assert.deepEqual(countOutcomes(results), { created: 1, username_taken: 9 });
    assert.equal((await storage.users.listUsers({ after: 0, limit: 100 })).length, 1);
  },

  "of 10 simultaneous callers for one user without an account, one opens it": async ({ storage, race }) => {
    const added = withOutcome(await storage.users.appendUser(person({ nickname: "ada" })), "appended");
    const { userId } = added.user;
    const results = await race(10, ({ accounts }, caller) =>
      accounts.createAccount(accountOf(`ada${caller}`, {}, { user: userId })),
    );
    assert.deepEqual(countOutcomes(results), { created: 1, exists: 9 });
    assert.equal((await storage.accounts.listAccounts({ after: 0, limit: 100 })).length, 1);
    const nobody = accountOf("grace", {}, { user: userId + 1000 });
    assert.equal((await storage.accounts.createAccount(nobody)).outcome, "missing");
  },

  "of 10 simultaneous callers with the set-up link, one becomes admin": async ({ storage, race }) => {
    await storage.accounts.issueLink(linkOf("l", { kind: "setup", makerId: null }), 10);
    const link = useOf("l", { kind: "setup" });
    const results = await race(10, ({ accounts }, caller) =>
      accounts.createAccount(accountOf(`ada${caller}`, { role: "admin" }, { link, isFirstAdmin: true })),
    );
    assert.deepEqual(countOutcomes(results), { created: 1, link_ended: 9 });
    assert.equal(await storage.accounts.hasAdmin(), true);
  },

  "of simultaneous first admins with links of their own, one is created": async ({ storage, race }) => {
    const results = await race(10, ({ accounts }, caller) =>
      accounts.createAccount(accountOf(`ada${caller}`, { role: "admin" }, { isFirstAdmin: true })),
    );
    assert.deepEqual(countOutcomes(results), { created: 1, admin_exists: 9 });
    assert.equal((await storage.accounts.listAccounts({ after: 0, limit: 100 })).length, 1);
  },

  "of 10 callers, the last 3 uses of an invitation make 3 accounts": async ({ storage, race }) => {
    await storage.accounts.issueLink(linkOf("l", { uses: 3 }), 10);
    const results = await race(10, ({ accounts }, caller) =>
      accounts.createAccount(accountOf(`ada${caller}`, {}, { link: useOf("l") })),
    );
    assert.deepEqual(countOutcomes(results), { created: 3, link_ended: 7 });
    assert.equal((await storage.users.listUsers({ after: 0, limit: 100 })).length, 3);
  },

  "an invitation ends after a number of taken usernames, and is not used up by them": async ({
    storage: { accounts },
  }) => {
    await addAccount(accounts, "ada");
    await accounts.issueLink(linkOf("l"), 10);
    const link = useOf("l", { mostMisses: 2 });
    for (const outcome of ["username_taken", "username_taken", "link_ended"])
      assert.equal((await accounts.createAccount(accountOf("ada", {}, { link }))).outcome, outcome);
    assert.equal((await accounts.createAccount(accountOf("grace", {}, { link: useOf("l") }))).outcome, "created");
  },

  "a trial creates nothing, uses no link, and counts refusals": async ({ storage: { accounts, users } }) => {
    await addAccount(accounts, "ada");
    await accounts.issueLink(linkOf("l", { uses: 1 }), 10);
    const link = useOf("l", { mostMisses: 2 });
    const attempt = async (name: string, isTrial: boolean, use = link) =>
      (await accounts.createAccount(accountOf(name, {}, { link: use, isTrial }))).outcome;
    for (const outcome of ["free", "free"]) assert.equal(await attempt("grace", true), outcome);
    assert.equal((await users.listUsers({ after: 0, limit: 100 })).length, 1);
    assert.equal(await attempt("ada", true), "username_taken");
    assert.equal(await attempt("grace", false), "created");
    await accounts.issueLink(linkOf("m"), 10);
    const other = useOf("m", { mostMisses: 2 });
    for (const outcome of ["username_taken", "username_taken", "link_ended"])
      assert.equal(await attempt("ada", true, other), outcome);
  },

  "of 10 simultaneous changes of one state, one succeeds": async ({ storage, race }) => {
    const { userId } = await addAccount(storage.accounts, "ada");
    const results = await race(10, ({ accounts }, caller) =>
      accounts.amendAccount({ userId, rev: 1, change: { passwordHash: `${caller}` } }),
    );
    assert.deepEqual(countOutcomes(results), { amended: 1, stale: 9 });
    assert.equal((await storage.accounts.findAccount({ userId }))?.rev, 2);
  },

  "a way to sign in belongs to one account": async ({ storage: { accounts } }) => {
    await addAccount(accounts, "ada", { passkeys: [passkey], identities: [identity] });
    const { userId, rev } = await addAccount(accounts, "grace");
    const attempts = [
      [{ usernameKey: "ada" }, "username_taken"],
      [{ passkeys: [passkey] }, "passkey_taken"],
      [{ identities: [identity] }, "identity_taken"],
    ] as const;
    for (const [change, outcome] of attempts)
      assert.equal((await accounts.amendAccount({ userId, rev, change })).outcome, outcome);
    assert.equal((await accounts.findAccount({ userId }))?.rev, 1);
  },

  "of two admins who demote, suspend or demote each other, one stays": async ({ storage, race }) => {
    const pairs = [0, 1].map((at) => addAccount(storage.accounts, `admin${at}`, { role: "admin" }));
    const [first, second] = await Promise.all(pairs);
    const targets = [first?.userId ?? 0, second?.userId ?? 0];
    const results = await race(2, async ({ accounts, users }, caller) =>
      caller === 0
        ? await accounts.amendAccount({ userId: targets[0] ?? 0, rev: 1, change: { role: null } })
        : await users.suspendUser(targets[1] ?? 0, { suspended: true }),
    );
    assert.deepEqual(countOutcomes(results), { amended: 1, last_admin: 1 });
  },

  "the last active admin can be demoted with force only, a suspended one always": async ({ storage }) => {
    const { accounts, users } = storage;
    const { userId } = await addAccount(accounts, "ada", { role: "admin" });
    assert.equal((await users.suspendUser(userId, { suspended: true })).outcome, "last_admin");
    assert.equal((await users.suspendUser(userId, { suspended: true, force: true })).outcome, "amended");
    assert.equal(await accounts.hasAdmin(), true);
    assert.equal((await accounts.amendAccount({ userId, rev: 2, change: { role: null } })).outcome, "amended");
  },

  "suspending ends sessions and links, and is reported; resuming keeps tokens": async ({ storage }) => {
    const { accounts, users, tokens, changes } = storage;
    const { userId } = await addAccount(accounts, "ada");
    await tokens.issueToken({ userId, digest: "t", name: null, scopes: ["chat"], createdAt: now, expiresAt: null });
    await accounts.createSession(sessionOf(userId, "s"), { rev: 1, limit: 10 });
    await accounts.issueLink(linkOf("l", { makerId: userId }), 10);
    const before = await changes.latest();
    await users.suspendUser(userId, { suspended: true });
    const seen = (await changes.since(before))?.map(({ kind, key }) => `${kind} ${key}`) ?? [];
    assert.deepEqual(seen.toSorted(), ["session s", `user ${userId}`]);
    assert.deepEqual([await accounts.findSession("s", now), await accounts.findLink(useOf("l"))], [null, null]);
    assert.equal((await users.findUser(userId))?.suspended, true);
    await users.suspendUser(userId, { suspended: false });
    assert.equal((await users.findUser(userId))?.suspended, false);
    assert.equal((await tokens.findToken("t"))?.revokedAt, null);
  },

  "the username of a user who was dropped is never given again, and their prompts are gone": async ({ storage }) => {
    const { accounts, users, records } = storage;
    const { userId } = await addAccount(accounts, "ada", { passkeys: [passkey], identities: [identity], prompts });
    await accounts.createSession(sessionOf(userId, "s"), { rev: 1, limit: 10 });
    assert.equal(await users.dropUser(userId, now), true);
    assert.equal(await accounts.findAccount({ userId }), null);
    assert.equal(await accounts.findSession("s", now), null);
    assert.equal((await records.list("accounts", { after: null, limit: 1 }))[0]?.prompts, "[]");
    assert.equal((await accounts.createAccount(accountOf("ada"))).outcome, "username_taken");
    await addAccount(accounts, "grace", { passkeys: [passkey], identities: [identity] });
  },

  "no sign-in survives a change of the account that ends the sessions": async ({ storage, race }) => {
    const { userId } = await addAccount(storage.accounts, "ada");
    await race(10, async ({ accounts }, caller) => {
      if (caller > 0) return await accounts.createSession(sessionOf(userId, `s${caller}`), { rev: 1, limit: 100 });
      const endSessions = { except: null };
      return await accounts.amendAccount({ userId, rev: 1, change: { passwordHash: "new" }, endSessions });
    });
    assert.deepEqual(await storage.accounts.listSessions(userId, now), []);
  },

  "a recovery link is used by one of 10 callers, and ends sessions, tokens and grants": async ({ storage, race }) => {
    const { accounts, tokens } = storage;
    const { userId } = await addAccount(accounts, "ada");
    await tokens.issueToken({ userId, digest: "t", name: null, scopes: ["chat"], createdAt: now, expiresAt: null });
    await accounts.createSession(sessionOf(userId, "s"), { rev: 1, limit: 10 });
    await accounts.issueLink(linkOf("l", { kind: "recovery" }), 10);
    const link = useOf("l", { kind: "recovery" });
    const results = await race(10, async (one) => {
      const rev = (await one.accounts.findAccount({ userId }))?.rev ?? 0;
      const ends = { endSessions: { except: null }, endAccess: now + 5 };
      return await one.accounts.amendAccount({ userId, rev, change: { passwordHash: "new" }, link, ...ends });
    });
    assert.equal(results.filter(({ outcome }) => outcome === "amended").length, 1);
    assert.equal((await tokens.findToken("t"))?.revokedAt, now + 5);
    assert.deepEqual(await accounts.listSessions(userId, now), []);
  },

  "a session moves forward up to its absolute end, and never comes back": async ({ storage: { accounts } }) => {
    const { userId } = await addAccount(accounts, "ada");
    const use = { userId, sessionId: "s" };
    await accounts.createSession(sessionOf(userId, "s"), { rev: 1, limit: 10 });
    await accounts.touchSession({ ...use, lastUsedAt: now + 10, until: now + 200_000 });
    await accounts.touchSession({ ...use, lastUsedAt: now + 5, until: now + 7 });
    const session = await accounts.findSession("s", now);
    assert.deepEqual([session?.lastUsedAt, session?.until], [now + 10, now + 90_000]);
    assert.equal(await accounts.findSession("s", now + 90_000), null);
    await accounts.touchSession({ ...use, lastUsedAt: now + 90_000, until: now + 99_000 });
    assert.equal(await accounts.findSession("s", now + 90_000), null);
    assert.deepEqual([await accounts.endSession(use), await accounts.endSession(use)], [true, false]);
  },

  "beyond the limit, the session that was used the longest time ago ends": async ({ storage: { accounts } }) => {
    const { userId } = await addAccount(accounts, "ada");
    for (const at of [1, 2, 3])
      await accounts.createSession(sessionOf(userId, `s${at}`, { lastUsedAt: now + at }), { rev: 1, limit: 2 });
    const ids = (await accounts.listSessions(userId, now)).map(({ sessionId }) => sessionId);
    assert.deepEqual(ids, ["s3", "s2"]);
    assert.equal(await accounts.endSessions(userId, "s2"), 1);
  },

  "of 10 callers with a ticket, one gets it": async ({ storage, race }) => {
    await storage.accounts.issueLink(linkOf("l", { kind: "ticket" }), 10);
    const results = await race(10, ({ accounts }) => accounts.consumeLink(useOf("l", { kind: "ticket" })));
    assert.equal(results.filter((link) => link !== null).length, 1);
    assert.equal(await storage.accounts.consumeLink(useOf("l", { kind: "ticket" })), null);
  },

  "of 10 callers with a link of 3 uses, 3 get it": async ({ storage, race }) => {
    await storage.accounts.issueLink(linkOf("l", { uses: 3 }), 10);
    const results = await race(10, ({ accounts }) => accounts.consumeLink(useOf("l")));
    assert.equal(results.filter((link) => link !== null).length, 3);
  },

  "a link of another kind, an expired or a revoked one cannot be used": async ({ storage: { accounts } }) => {
    await accounts.issueLink(linkOf("l", { uses: 5 }), 10);
    assert.equal(await accounts.consumeLink(useOf("l", { kind: "challenge" })), null);
    assert.equal(await accounts.consumeLink(useOf("l", { now: now + 1000 })), null);
    assert.equal(await accounts.revokeLink({ linkId: "l", kind: "invitation", makerId: 8, now }), null);
    assert.equal((await accounts.revokeLink({ linkId: "l", kind: "invitation", makerId: 7, now }))?.revokedAt, now);
    assert.equal(await accounts.findLink(useOf("l")), null);
  },

  "a maker has a limited number of links, and one for each slot": async ({ storage: { accounts } }) => {
    assert.equal(await accounts.issueLink(linkOf("a", { slot: "x" }), 2), "issued");
    assert.equal(await accounts.issueLink(linkOf("b", { slot: "x" }), 2), "issued");
    assert.equal(await accounts.findLink(useOf("a")), null);
    assert.equal(await accounts.issueLink(linkOf("c"), 2), "issued");
    assert.equal(await accounts.issueLink(linkOf("d"), 2), "limit_reached");
    await accounts.consumeLink(useOf("c"));
    assert.equal(await accounts.issueLink(linkOf("d"), 2), "issued");
    const listed = await accounts.listLinks({ kind: "invitation", makerId: 7, after: "", limit: 10 });
    assert.deepEqual(
      listed.map(({ linkId }) => linkId),
      ["b", "d"],
    );
  },

  "sweeping deletes a bounded number of ended records, and nothing else": async ({ storage: { accounts } }) => {
    const { userId } = await addAccount(accounts, "ada");
    for (const at of [1, 2, 3]) {
      await accounts.createSession(sessionOf(userId, `s${at}`, { until: now + at }), { rev: 1, limit: 10 });
      await accounts.issueLink(linkOf(`l${at}`, { until: now + at }), 10);
    }
    assert.equal(await accounts.sweepAccounts({ now: now + 2, limit: 1 }), 2);
    assert.equal(await accounts.sweepAccounts({ now: now + 2, limit: 10 }), 2);
    assert.equal(await accounts.sweepAccounts({ now: now + 2, limit: 10 }), 0);
    assert.equal((await accounts.findSession("s3", now))?.sessionId, "s3");
  },
});
