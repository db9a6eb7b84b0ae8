import type { AccountStore, Storage } from "@telex/core/storage";
import { accountOf } from "../../src/accounts/fixtures.ts";
import { type BrokenStorage, meanwhile, override } from "./spoil.ts";

const name = (sentence: string): string => `accounts: ${sentence}`;

const spoilAccounts = (
  change: (store: AccountStore, storage: Storage) => Partial<AccountStore>,
): BrokenStorage["spoil"] => override("accounts", change);

/** The admins who are not suspended. */
async function activeAdmins({ accounts, users }: Storage): Promise<number> {
  let count = 0;
  for (const { userId, role } of await accounts.listAccounts({ after: 0, limit: 1000 }))
    if (role === "admin" && (await users.findUser(userId))?.suspended === false) count += 1;
  return count;
}

/** Wrong stores of the creation of accounts. */
const brokenBeginnings: readonly BrokenStorage[] = [
  {
    fault: "a username is looked for first and given later",
    found: [name("of 10 simultaneous callers with one username, one gets it, and no other user is left")],
    spoil: spoilAccounts((store) => {
      let count = 0;
      return {
        async createAccount(creation) {
          const { usernameKey } = creation.account;
          if ((await store.findAccount({ usernameKey })) !== null) return { outcome: "username_taken" };
          await meanwhile();
          const account = { ...creation.account, usernameKey: `${usernameKey}${(count += 1)}` };
          return await store.createAccount({ ...creation, account });
        },
      };
    }),
  },
  {
    fault: "a trial opens an account",
    found: [name("a trial creates nothing, uses no link, and counts refusals")],
    spoil: spoilAccounts((store) => ({
      createAccount: async ({ isTrial: _trial, ...creation }) => await store.createAccount(creation),
    })),
  },
  {
    fault: "a trial counts no refusal",
    found: [name("a trial creates nothing, uses no link, and counts refusals")],
    spoil: spoilAccounts((store) => ({
      async createAccount({ link, ...creation }) {
        if (creation.isTrial !== true || link === undefined)
          return await store.createAccount({ ...creation, ...(link && { link }) });
        if ((await store.findLink(link)) === null) return { outcome: "link_ended" };
        return await store.createAccount(creation);
      },
    })),
  },
  {
    fault: "a user is looked at first, and gets an account later",
    found: [name("of 10 simultaneous callers for one user without an account, one opens it")],
    spoil: spoilAccounts((store) => ({
      async createAccount({ user, ...creation }) {
        if (typeof user !== "number") return await store.createAccount({ user, ...creation });
        if ((await store.findAccount({ userId: user })) !== null) return { outcome: "exists" };
        await meanwhile();
        const created = await store.createAccount({ user, ...creation });
        return created.outcome === "exists"
          ? await store.createAccount(accountOf(creation.account.usernameKey))
          : created;
      },
    })),
  },
  {
    fault: "a link is looked up first and used later",
    found: [name("of 10 callers, the last 3 uses of an invitation make 3 accounts")],
    spoil: spoilAccounts((store) => ({
      async createAccount({ link, ...creation }) {
        if (link !== undefined && (await store.findLink(link)) === null) return { outcome: "link_ended" };
        await meanwhile();
        const created = await store.createAccount(creation);
        if (link !== undefined) await store.consumeLink(link);
        return created;
      },
    })),
  },
  {
    fault: "an admin is looked for first and made later",
    found: [name("of simultaneous first admins with links of their own, one is created")],
    spoil: spoilAccounts((store) => ({
      async createAccount({ isFirstAdmin = false, ...creation }) {
        if (isFirstAdmin && (await store.hasAdmin())) return { outcome: "admin_exists" };
        await meanwhile();
        return await store.createAccount(creation);
      },
    })),
  },
  {
    fault: "taken usernames are not counted",
    found: [name("an invitation ends after a number of taken usernames, and is not used up by them")],
    spoil: spoilAccounts((store) => ({
      createAccount({ link, ...creation }) {
        if (link === undefined) return store.createAccount(creation);
        const { mostMisses: _most, ...use } = link;
        return store.createAccount({ ...creation, link: use });
      },
    })),
  },
];

/** Wrong stores of changes and ends of accounts. */
const brokenChanges: readonly BrokenStorage[] = [
  {
    fault: "a state is compared first and replaced later",
    found: [name("of 10 simultaneous changes of one state, one succeeds")],
    spoil: spoilAccounts((store) => ({
      async amendAccount(amendment) {
        const { userId } = amendment;
        if ((await store.findAccount({ userId }))?.rev !== amendment.rev) return { outcome: "stale" };
        await meanwhile();
        const rev = (await store.findAccount({ userId }))?.rev ?? 0;
        return await store.amendAccount({ ...amendment, rev });
      },
    })),
  },
  {
    fault: "accounts that are read together have no ways to sign in",
    found: [name("of many accounts those are found that exist, each with its own ways to sign in")],
    spoil: override("accounts", (store) => ({
      async findAccounts(userIds) {
        return (await store.findAccounts(userIds)).map((account) => ({ ...account, identities: [], passkeys: [] }));
      },
    })),
  },
  {
    fault: "other admins are counted first, and one is suspended or demoted later",
    found: [name("of two admins who demote, suspend or demote each other, one stays")],
    spoil: (storage) => {
      const isLast = async (): Promise<boolean> => {
        const isOne = (await activeAdmins(storage)) < 2;
        for (let count = 0; count < 20; count += 1) await meanwhile();
        return isOne;
      };
      const { users, accounts } = storage;
      const suspendUser: typeof users.suspendUser = async (userId, { suspended }) =>
        (await isLast()) ? { outcome: "last_admin" } : await users.suspendUser(userId, { suspended, force: true });
      const amendAccount: typeof accounts.amendAccount = async (amendment) =>
        (await isLast()) ? { outcome: "last_admin" } : await accounts.amendAccount({ ...amendment, force: true });
      return { ...storage, users: { ...users, suspendUser }, accounts: { ...accounts, amendAccount } };
    },
  },
  {
    fault: "suspending leaves sessions and links",
    found: [
      name("suspending ends sessions and links, and is reported; resuming keeps tokens"),
      "accounts model: a long random run answers as a plain list does, seed 2",
    ],
    spoil: override("users", (store) => {
      const states = new Map<number, boolean>();
      const findUser: Storage["users"]["findUser"] = async (userId) => {
        const user = await store.findUser(userId);
        return user === null ? null : { ...user, suspended: states.get(userId) ?? user.suspended };
      };
      return {
        findUser,
        async suspendUser(userId, { suspended }) {
          states.set(userId, suspended);
          await store.amendUser(userId, {});
          const user = await findUser(userId);
          return user === null ? { outcome: "missing" } : { outcome: "amended", user };
        },
      };
    }),
  },
  {
    fault: "the username of a dropped user is free",
    found: [
      name("the username of a user who was dropped is never given again, and their prompts are gone"),
      "accounts model: a long random run answers as a plain list does, seed 3",
    ],
    spoil: override("users", (store, { accounts }) => ({
      async dropUser(userId, now) {
        const account = await accounts.findAccount({ userId });
        const change = { usernameKey: `${userId} is gone` };
        if (account !== null) await accounts.amendAccount({ userId, rev: account.rev, change });
        return await store.dropUser(userId, now);
      },
    })),
  },
  {
    fault: "a recovery leaves the tokens",
    found: [name("a recovery link is used by one of 10 callers, and ends sessions, tokens and grants")],
    spoil: spoilAccounts((store) => ({
      amendAccount: ({ endAccess: _end, ...amendment }) => store.amendAccount(amendment),
    })),
  },
];

/** Wrong stores of sessions and links. */
const brokenSessions: readonly BrokenStorage[] = [
  {
    fault: "the account is looked at first, and signed in later",
    found: [name("no sign-in survives a change of the account that ends the sessions")],
    spoil: spoilAccounts((store) => ({
      async createSession(session, conditions) {
        const { userId } = session;
        if ((await store.findAccount({ userId }))?.rev !== conditions.rev) return "stale";
        await meanwhile();
        const rev = (await store.findAccount({ userId }))?.rev ?? 0;
        return await store.createSession(session, { ...conditions, rev });
      },
    })),
  },
  {
    fault: "an account has any number of sessions",
    found: [
      name("beyond the limit, the session that was used the longest time ago ends"),
      "accounts model: a long random run answers as a plain list does, seed 1",
    ],
    spoil: spoilAccounts((store) => ({
      createSession: (session, conditions) => store.createSession(session, { ...conditions, limit: 1000 }),
    })),
  },
  {
    fault: "a ticket is looked up first and used later",
    found: [name("of 10 callers with a ticket, one gets it"), name("of 10 callers with a link of 3 uses, 3 get it")],
    spoil: spoilAccounts((store) => ({
      async consumeLink(use) {
        const link = await store.findLink(use);
        await meanwhile();
        await store.consumeLink(use);
        return link;
      },
    })),
  },
  {
    fault: "everybody revokes a link",
    found: [name("a link of another kind, an expired or a revoked one cannot be used")],
    spoil: spoilAccounts((store) => ({ revokeLink: ({ makerId: _maker, ...key }) => store.revokeLink(key) })),
  },
  {
    fault: "a maker has any number of links",
    found: [name("a maker has a limited number of links, and one for each slot")],
    spoil: spoilAccounts((store) => ({ issueLink: (link) => store.issueLink(link, 1000) })),
  },
  {
    fault: "a sweep has no limit",
    found: [name("sweeping deletes a bounded number of ended records, and nothing else")],
    spoil: spoilAccounts((store) => ({ sweepAccounts: ({ now }) => store.sweepAccounts({ now, limit: 1000 }) })),
  },
];

/** Wrong stores of accounts, sessions and links. */
export const brokenAccounts: readonly BrokenStorage[] = [...brokenBeginnings, ...brokenChanges, ...brokenSessions];
