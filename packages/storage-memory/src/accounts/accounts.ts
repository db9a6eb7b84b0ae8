import {
  type Account,
  type AccountAmendment,
  type AccountConflict,
  type AccountCreation,
  type AccountKey,
  type AccountRecord,
  type AccountStore,
  type IdentityRecord,
  type LinkRecord,
  type LinkUse,
  type PasskeyRecord,
  emptiedAccount,
} from "@telex/core/storage";
import type { Report } from "../stores/changes.ts";
import type { Verb } from "../engine/gate.ts";
import type { Grants } from "./grants.ts";
import { createLinks, createLinkVerbs, type Links, useLink } from "./links.ts";
import { createSessions, createSessionVerbs, endOldest, type Sessions } from "./sessions.ts";
import type { Kept, Tables } from "../engine/tables.ts";
import type { People } from "../stores/users.ts";

/** All accounts, including removed ones. Only used within a step. */
interface Accounts {
  readonly find: (userId: number) => Account | null;
  readonly findWhere: (isMeant: (account: Account) => boolean) => Account | null;
  readonly all: () => Iterable<Account>;
  readonly keep: (account: Account) => Account;
}

function createAccounts(): Accounts {
  const accounts = new Map<number, Account>();
  return {
    find: (userId) => accounts.get(userId) ?? null,
    findWhere: (isMeant) => accounts.values().find(isMeant) ?? null,
    all: () => accounts.values(),
    keep(account) {
      accounts.set(account.userId, account);
      return account;
    },
  };
}

const isNamed = (account: Account, key: AccountKey): boolean => {
  if ("userId" in key) return account.userId === key.userId;
  if ("usernameKey" in key) return account.usernameKey === key.usernameKey;
  if ("credentialId" in key) return account.passkeys.some((one) => one.credentialId === key.credentialId);
  return account.identities.some(({ issuer, subject }) => issuer === key.issuer && subject === key.subject);
};

interface AccountDeps {
  readonly people: Pick<People, "find" | "append">;
  readonly grants: Pick<Grants, "where" | "end">;
  /** Revokes all tokens of a user, and reports each. */
  readonly revokeTokensOf: (userId: number, now: number) => void;
  readonly report: Report;
}

interface Deps extends AccountDeps {
  readonly accounts: Accounts;
  readonly sessions: Sessions;
  readonly links: Links;
}

/** The first conflict with another account, or null. */
function conflictOf({ accounts }: Deps, account: Account): AccountConflict | null {
  const isTaken = (key: AccountKey): boolean =>
    accounts.findWhere((one) => one.userId !== account.userId && isNamed(one, key)) !== null;
  if (isTaken({ usernameKey: account.usernameKey })) return "username_taken";
  if (account.passkeys.some(({ credentialId }) => isTaken({ credentialId }))) return "passkey_taken";
  return account.identities.some(({ issuer, subject }) => isTaken({ issuer, subject })) ? "identity_taken" : null;
}

const isAdmin = ({ role, removedAt }: Account): boolean => role === "admin" && removedAt === null;

/** Counts a use of a link that was rejected because the username is taken. */
function noteMiss({ links }: Deps, conflict: AccountConflict, link: LinkRecord | null): void {
  if (conflict === "username_taken" && link !== null) links.keep({ ...link, misses: link.misses + 1 });
}

const findLink = ({ links }: Deps, use: LinkUse | undefined): LinkRecord | "link_ended" | null =>
  use === undefined ? null : (links.find(use) ?? "link_ended");

function create(
  deps: Deps,
  { user, account: newAccount, link: use, isFirstAdmin = false, isTrial = false }: AccountCreation,
) {
  const { accounts, people, links } = deps;
  const link = findLink(deps, use);
  if (link === "link_ended") return { outcome: link } as const;
  if (isFirstAdmin && accounts.findWhere(isAdmin) !== null) return { outcome: "admin_exists" } as const;
  if (typeof user === "number" && people.find(user) === null) return { outcome: "missing" } as const;
  if (typeof user === "number" && accounts.find(user) !== null) return { outcome: "exists" } as const;
  const userId = typeof user === "number" ? user : 0;
  const account: Account = { ...structuredClone(newAccount), userId, removedAt: null, rev: 1 };
  const conflict = conflictOf(deps, account);
  if (conflict !== null) {
    noteMiss(deps, conflict, link);
    return { outcome: conflict } as const;
  }
  if (isTrial) return { outcome: "free" } as const;
  const own = typeof user === "number" ? account : { ...account, userId: people.append({ ...user, ext: null }).userId };
  deps.report("user", own.userId);
  return {
    outcome: "created",
    account: accounts.keep(own),
    link: use === undefined ? null : useLink(links, use),
  } as const;
}

/** True if an account is the only active admin. */
function isLastAdmin({ accounts, people }: Deps, account: Account): boolean {
  const isActive = (one: Account): boolean => isAdmin(one) && people.find(one.userId)?.suspended === false;
  return isActive(account) && accounts.findWhere((one) => one !== account && isActive(one)) === null;
}

/** Ends the sessions and access that a change of an account is to end. */
function endWith(deps: Deps, { userId, endSessions, endAccess }: AccountAmendment): void {
  if (endSessions !== undefined) deps.sessions.end(userId, endSessions.except);
  if (endAccess === undefined) return;
  deps.revokeTokensOf(userId, endAccess);
  for (const { grantId } of deps.grants.where({ userId })) deps.grants.end(grantId);
}

function amend(deps: Deps, amendment: AccountAmendment) {
  const { accounts, links, report } = deps;
  const { userId, rev, change, link: use, force = false } = amendment;
  const before = accounts.find(userId);
  if (before === null || before.removedAt !== null) return { outcome: "missing" } as const;
  if (before.rev !== rev) return { outcome: "stale" } as const;
  const link = findLink(deps, use);
  if (link === "link_ended") return { outcome: link } as const;
  const account: Account = { ...before, ...structuredClone(change), rev: rev + 1 };
  const isDemoted = isAdmin(before) && !isAdmin(account);
  if (isDemoted && !force && isLastAdmin(deps, before)) return { outcome: "last_admin" } as const;
  const conflict = conflictOf(deps, account);
  if (conflict !== null) return { outcome: conflict } as const;
  accounts.keep(account);
  endWith(deps, amendment);
  if (isDemoted) links.dropOf(userId);
  if (before.role !== account.role) report("user", userId);
  return { outcome: "amended", account, link: use === undefined ? null : useLink(links, use) } as const;
}

/** The effects that changes of users have on their accounts. */
const ofUsers = (deps: Deps) => ({
  isLastAdmin: (userId: number): boolean => {
    const account = deps.accounts.find(userId);
    return account !== null && isLastAdmin(deps, account);
  },
  changed(userId: number, suspended: boolean): void {
    const account = deps.accounts.find(userId);
    if (account !== null) deps.accounts.keep({ ...account, rev: account.rev + 1 });
    if (!suspended) return;
    deps.sessions.end(userId, null);
    deps.links.dropOf(userId);
  },
  removed(userId: number, now: number): void {
    const account = deps.accounts.find(userId);
    if (account !== null) deps.accounts.keep({ ...account, ...emptiedAccount, removedAt: now, rev: account.rev + 1 });
    deps.sessions.end(userId, null);
    deps.links.dropOf(userId);
    for (const { grantId } of deps.grants.where({ userId })) deps.grants.end(grantId);
  },
});

const createSession =
  ({ accounts, sessions }: Deps): ((...args: Parameters<AccountStore["createSession"]>) => "created" | "stale") =>
  (session, { rev, limit, seen }) => {
    const account = accounts.find(session.userId);
    if (account === null || account.removedAt !== null || account.rev !== rev) return "stale";
    if (seen !== undefined) accounts.keep({ ...account, seen: [...seen] });
    endOldest(sessions, session.userId, limit);
    sessions.keep({ ...session });
    return "created";
  };

const verbsOf = (verb: Verb, deps: Deps): AccountStore => {
  const { accounts, sessions, links } = deps;
  const isThere = ({ removedAt }: Account): boolean => removedAt === null;
  return {
    ...createLinkVerbs(verb, links),
    ...createSessionVerbs(verb, sessions),
    createSession: verb(createSession(deps)),
    createAccount: verb((creation) => create(deps, creation)),
    amendAccount: verb((amendment) => amend(deps, amendment)),
    findAccount: verb((key) => accounts.findWhere((one) => isThere(one) && isNamed(one, key))),
    findAccounts: verb((userIds) => userIds.flatMap((userId) => accounts.find(userId) ?? []).filter(isThere)),
    listAccounts: verb(({ after, limit }) =>
      [...accounts.all()]
        .filter((one) => isThere(one) && one.userId > after)
        .toSorted((a, b) => a.userId - b.userId)
        .slice(0, limit),
    ),
    hasAdmin: verb(() => accounts.findWhere(isAdmin) !== null),
    sweepAccounts: verb(({ now, limit }) => sessions.sweep(now, limit) + links.sweep(now, limit)),
  };
};

function tablesOf(accounts: Accounts): Tables<"accounts" | "passkeys" | "identities"> {
  const accountOf = (userId: number): Account => {
    const account = accounts.find(userId);
    if (account === null) throw new Error(`User ${userId} has no account.`);
    return account;
  };
  return {
    accounts: {
      all: () => [...accounts.all()].map(({ passkeys: _passkeys, identities: _identities, ...record }) => record),
      put: (record: AccountRecord) => {
        const { passkeys, identities } = accounts.find(record.userId) ?? { passkeys: [], identities: [] };
        accounts.keep({ ...structuredClone(record), passkeys, identities });
      },
    },
    passkeys: {
      all: () => [...accounts.all()].flatMap(({ userId, passkeys }) => passkeys.map((one) => ({ ...one, userId }))),
      put: ({ userId, ...passkey }: PasskeyRecord) => {
        const account = accountOf(userId);
        const others = account.passkeys.filter(({ credentialId }) => credentialId !== passkey.credentialId);
        accounts.keep({ ...account, passkeys: [...others, structuredClone(passkey)] });
      },
    },
    identities: {
      all: () => [...accounts.all()].flatMap(({ userId, identities }) => identities.map((one) => ({ ...one, userId }))),
      put: ({ userId, ...identity }: IdentityRecord) => {
        const account = accountOf(userId);
        const others = account.identities.filter(
          ({ issuer, subject }) => issuer !== identity.issuer || subject !== identity.subject,
        );
        accounts.keep({ ...account, identities: [...others, { ...identity }] });
      },
    },
  };
}

/** Accounts in memory. */
export function createAccountStore(
  verb: Verb,
  { people, grants, revokeTokensOf, report }: AccountDeps,
): Kept<AccountStore, "accounts" | "passkeys" | "identities"> & { readonly ofUsers: ReturnType<typeof ofUsers> } {
  const accounts = createAccounts();
  const [sessions, links] = [createSessions(report), createLinks()];
  const all = { people, grants, revokeTokensOf, report, accounts, sessions, links };
  return { store: verbsOf(verb, all), tables: tablesOf(accounts), ofUsers: ofUsers(all) };
}
