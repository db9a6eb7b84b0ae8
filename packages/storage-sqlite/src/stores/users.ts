import type { UserChange, UserRecord, UserStore } from "@telex/core/storage";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { describeTable } from "../engine/table.ts";

const table = describeTable("users");
const { read } = table;
const insertable = table.without("userId");
const select = `SELECT ${table.names} FROM users`;

const prepare = (database: Database) => ({
  insert: database.query(
    `INSERT INTO users (${insertable.names}) VALUES (${insertable.marks}) RETURNING ${table.names}`,
    read,
  ),
  find: database.query(`${select} WHERE user_id = ?`, read),
  findByExt: database.query(`${select} WHERE ext = ?`, read),
  list: database.query(`${select} WHERE user_id > ? ORDER BY user_id LIMIT ?`, read),
  models: database.query(`${select} WHERE ai IS NOT NULL ORDER BY user_id`, read),
  oneBots: database.query(`${select} WHERE one_bot IS NOT NULL ORDER BY user_id`, read),
  amend: database.command(`UPDATE users SET (${insertable.names}) = (${insertable.marks}) WHERE user_id = ?`),
  drop: database.command("DELETE FROM users WHERE user_id = ?"),
});

interface UserDeps {
  readonly database: Database;
  readonly commit: GroupCommit;
  readonly changes: SqliteChangeFeed;
  /** Changes accounts in the same transaction as their users. */
  readonly accounts: {
    readonly accounts: { isLastAdmin(userId: number): boolean };
    suspend(userId: number, suspended: boolean): void;
    remove(userId: number, now: number): void;
  };
}

/** People. */
export class SqliteUserStore implements UserStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #changes: SqliteChangeFeed;
  readonly #accounts: UserDeps["accounts"];
  readonly #sql: ReturnType<typeof prepare>;

  constructor({ database, commit, changes, accounts }: UserDeps) {
    this.#database = database;
    this.#commit = commit;
    this.#changes = changes;
    this.#accounts = accounts;
    this.#sql = prepare(database);
  }

  appendUser(user: Omit<UserRecord, "userId">): ReturnType<UserStore["appendUser"]> {
    const { ext } = user;
    const values = insertable.values(user);
    return this.#commit.write(() => {
      if (this.#isTaken(ext, null)) return { outcome: "ext_taken" };
      return { outcome: "appended", user: this.#sql.insert.only(...values) };
    });
  }

  findUser(userId: number): Promise<UserRecord | null> {
    return this.#database.read(() => this.#sql.find.one(userId));
  }

  findUsers(userIds: readonly number[]): Promise<readonly UserRecord[]> {
    return this.#database.readTogether(() => userIds.flatMap((userId) => this.#sql.find.one(userId) ?? []));
  }

  findUserByExt(ext: string): Promise<UserRecord | null> {
    return this.#database.read(() => this.#sql.findByExt.one(ext));
  }

  listUsers(page: { readonly after: number; readonly limit: number }): Promise<readonly UserRecord[]> {
    return this.#database.read(() => this.#sql.list.all(page.after, page.limit));
  }

  listModels(): Promise<readonly UserRecord[]> {
    return this.#database.read(() => this.#sql.models.all());
  }

  listOneBots(): Promise<readonly UserRecord[]> {
    return this.#database.read(() => this.#sql.oneBots.all());
  }

  amendUser(userId: number, change: UserChange): ReturnType<UserStore["amendUser"]> {
    const changed = { ...change };
    return this.#commit.write(() => {
      const before = this.#sql.find.one(userId);
      if (before === null) return { outcome: "missing" };
      const user = { ...before, ...changed };
      if (this.#isTaken(user.ext, userId)) return { outcome: "ext_taken" };
      this.#sql.amend(...insertable.values(user), userId);
      this.#changes.record("user", String(userId));
      return { outcome: "amended", user };
    });
  }

  suspendUser(
    userId: number,
    { suspended, force = false }: Parameters<UserStore["suspendUser"]>[1],
  ): ReturnType<UserStore["suspendUser"]> {
    return this.#commit.write(() => {
      const before = this.#sql.find.one(userId);
      if (before === null) return { outcome: "missing" };
      if (suspended && !force && this.#accounts.accounts.isLastAdmin(userId)) return { outcome: "last_admin" };
      const user = { ...before, suspended };
      this.#sql.amend(...insertable.values(user), userId);
      this.#accounts.suspend(userId, suspended);
      this.#changes.record("user", String(userId));
      return { outcome: "amended", user };
    });
  }

  dropUser(userId: number, now: number): Promise<boolean> {
    return this.#commit.write(() => {
      if (this.#sql.drop(userId) === 0) return false;
      this.#accounts.remove(userId, now);
      this.#changes.record("user", String(userId));
      return true;
    });
  }

  #isTaken(ext: string | null, by: number | null): boolean {
    const holder = ext === null ? null : this.#sql.findByExt.one(ext);
    return holder !== null && holder.userId !== by;
  }
}
