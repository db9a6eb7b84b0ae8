import type {
  Account,
  AccountAmendment,
  AccountCreation,
  AccountStore,
  LinkRecord,
  LinkUse,
} from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { integer } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";
import type { SqliteChangeFeed } from "../stores/changes.ts";
import { AccountRows } from "./account-rows.ts";
import type { GrantRows } from "./grants.ts";
import { createLinkVerbs, LinkRows } from "./links.ts";
import { createSessionVerbs, SessionRows } from "./sessions.ts";

const users = describeTable("users");
const insertable = users.without("userId");

const prepare = (database: Database) => ({
  findUser: database.query(`SELECT ${users.names} FROM users WHERE user_id = ?`, users.read),
  addUser: database.query(
    `INSERT INTO users (${insertable.names}) VALUES (${insertable.marks}) RETURNING ${users.names}`,
    users.read,
  ),
  revokeTokens: database.query(
    "UPDATE tokens SET revoked_at = ? WHERE user_id = ? AND revoked_at IS NULL RETURNING token_id",
    (row) => integer(row, "token_id"),
  ),
});

interface AccountDeps {
  readonly database: Database;
  readonly commit: GroupCommit;
  readonly changes: SqliteChangeFeed;
  readonly grants: GrantRows;
}

/** Accounts with everything that belongs to them, in a transaction. */
export class AccountBook {
  readonly accounts: AccountRows;
  readonly sessions: SessionRows;
  readonly links: LinkRows;
  readonly #grants: GrantRows;
  readonly #changes: SqliteChangeFeed;
  readonly #sql: ReturnType<typeof prepare>;

  constructor({ database, changes, grants }: Omit<AccountDeps, "commit">) {
    this.accounts = new AccountRows(database);
    this.sessions = new SessionRows(database, changes);
    this.links = new LinkRows(database);
    this.#grants = grants;
    this.#changes = changes;
    this.#sql = prepare(database);
  }

  create({ user, account: fields, link: use, isFirstAdmin = false, isTrial = false }: AccountCreation) {
    const link = this.#findLink(use);
    if (link === "link_ended") return { outcome: link } as const;
    if (isFirstAdmin && this.accounts.hasAdmin()) return { outcome: "admin_exists" } as const;
    const isNew = typeof user !== "number";
    if (!isNew && this.#sql.findUser.one(user) === null) return { outcome: "missing" } as const;
    if (!isNew && this.accounts.findAny(user) !== null) return { outcome: "exists" } as const;
    const account: Account = { ...fields, userId: isNew ? 0 : user, removedAt: null, rev: 1 };
    const conflict = this.accounts.conflictOf(account);
    if (conflict === "username_taken" && link !== null) this.links.miss(link);
    if (conflict !== null) return { outcome: conflict } as const;
    if (isTrial) return { outcome: "free" } as const;
    const userId = isNew ? this.#sql.addUser.only(...insertable.values({ ...user, ext: null })).userId : user;
    const own = { ...account, userId };
    this.accounts.put(own);
    this.#changes.record("user", String(userId));
    return { outcome: "created", account: own, link: link && this.links.use(link) } as const;
  }

  amend(amendment: AccountAmendment) {
    const { userId, rev, change, link: use, force = false } = amendment;
    const before = this.accounts.find({ userId });
    if (before === null) return { outcome: "missing" } as const;
    if (before.rev !== rev) return { outcome: "stale" } as const;
    const link = this.#findLink(use);
    if (link === "link_ended") return { outcome: link } as const;
    const account: Account = { ...before, ...change, rev: rev + 1 };
    const isDemoted = before.role === "admin" && account.role !== "admin";
    if (isDemoted && !force && this.accounts.isLastAdmin(userId)) return { outcome: "last_admin" } as const;
    const conflict = this.accounts.conflictOf(account);
    if (conflict !== null) return { outcome: conflict } as const;
    this.#put(amendment, before, account);
    return { outcome: "amended", account, link: link && this.links.use(link) } as const;
  }

  /** Changes the account of a user who was suspended, or whose suspension has ended. */
  suspend(userId: number, suspended: boolean): void {
    this.accounts.raise(userId);
    if (!suspended) return;
    this.sessions.endAll(userId, null);
    this.links.dropOf(userId);
  }

  /** Empties the account of a deleted user. */
  remove(userId: number, now: number): void {
    this.accounts.remove(userId, now);
    this.sessions.endAll(userId, null);
    this.links.dropOf(userId);
    this.#grants.endAll({ userId }, -1);
  }

  /** Writes a changed account, and ends the sessions, access and links that it loses. */
  #put(amendment: AccountAmendment, before: Account, account: Account): void {
    this.accounts.put(account);
    this.#endWith(amendment);
    if (before.role === account.role) return;
    if (before.role === "admin") this.links.dropOf(account.userId);
    this.#changes.record("user", String(account.userId));
  }

  #endWith({ userId, endSessions, endAccess }: AccountAmendment): void {
    if (endSessions !== undefined) this.sessions.endAll(userId, endSessions.except);
    if (endAccess === undefined) return;
    const revoked = this.#sql.revokeTokens.all(endAccess, userId);
    for (const tokenId of revoked) this.#changes.record("token", String(tokenId));
    this.#grants.endAll({ userId }, -1);
  }

  #findLink(use: LinkUse | undefined): LinkRecord | "link_ended" | null {
    return use === undefined ? null : (this.links.find(use) ?? "link_ended");
  }
}

/** Accounts, sessions, and links. */
export function createAccountStore(
  { database, commit }: Pick<AccountDeps, "database" | "commit">,
  book: AccountBook,
): AccountStore {
  const { accounts, sessions, links } = book;
  return {
    ...createLinkVerbs(database, commit, links),
    ...createSessionVerbs(database, commit, sessions),
    createAccount(creation) {
      const own = structuredClone(creation);
      return commit.write(() => book.create(own));
    },
    amendAccount(amendment) {
      const own = structuredClone(amendment);
      return commit.write(() => book.amend(own));
    },
    findAccount: (key) => database.readTogether(() => accounts.find(key)),
    findAccounts: (userIds) =>
      database.readTogether(() => userIds.flatMap((userId) => accounts.find({ userId }) ?? [])),
    listAccounts: ({ after, limit }) => database.readTogether(() => accounts.list(after, limit)),
    hasAdmin: () => database.read(() => accounts.hasAdmin()),
    createSession({ ...session }, { rev, limit, seen }) {
      const ownSeen = seen === undefined ? undefined : [...seen];
      return commit.write(() => {
        const account = accounts.find({ userId: session.userId });
        if (account?.rev !== rev) return "stale";
        if (ownSeen !== undefined) accounts.put({ ...account, seen: ownSeen });
        sessions.add(session, limit);
        return "created";
      });
    },
    sweepAccounts: ({ now, limit }) => commit.write(() => sessions.sweep(now, limit) + links.sweep(now, limit)),
  };
}
