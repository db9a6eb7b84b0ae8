import type { Claim, LeaseKey, LeaseRecord, LeaseStore } from "@telex/core/storage";
import type { SqliteChangeFeed } from "./changes.ts";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { integer, type Row, text } from "../engine/rows.ts";

const columns = "name, holder, fence, until, note";

const read = (row: Row): LeaseRecord => ({
  name: text(row, "name"),
  holder: text(row, "holder"),
  fence: integer(row, "fence"),
  until: integer(row, "until"),
  note: text(row, "note"),
});

const prepare = (database: Database) => ({
  take: database.query(
    `INSERT INTO leases (${columns}) VALUES (?1, ?2, 1, ?3, ?4)
      ON CONFLICT (name) DO UPDATE SET holder = ?2, fence = fence + 1, until = ?3, note = ?4 WHERE until <= ?5 OR fence = ?6
      RETURNING ${columns}`,
    read,
  ),
  touch: database.command("UPDATE leases SET until = ?, note = ? WHERE name = ? AND fence = ? AND until > 0"),
  forgetClaims: database.command("DELETE FROM claims WHERE until <= ?"),
  claim: database.command("INSERT INTO claims (name, until) VALUES (?, ?) ON CONFLICT DO NOTHING"),
  // The index of names serves the range; no character comes after this one.
  list: database.query(
    `SELECT ${columns} FROM leases WHERE name >= ?1 AND name < ?1 || char(0x10FFFF) ORDER BY name`,
    read,
  ),
});

/** Ends all leases. A server calls it when it has opened the file, because it is the only server. */
export const endAllLeases = (database: Database): void =>
  void database.command("UPDATE leases SET until = 0 WHERE until > 0")();

export class SqliteLeaseStore implements LeaseStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #changes: SqliteChangeFeed;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database, commit: GroupCommit, changes: SqliteChangeFeed) {
    this.#database = database;
    this.#commit = commit;
    this.#changes = changes;
    this.#sql = prepare(database);
  }

  takeLease({
    name,
    holder,
    until,
    note,
    now,
    over,
  }: Parameters<LeaseStore["takeLease"]>[0]): ReturnType<LeaseStore["takeLease"]> {
    return this.#commit.write(() => {
      const lease = this.#sql.take.one(name, holder, until, note, now, over ?? null);
      if (lease !== null) this.#changes.record("lease", name);
      return lease;
    });
  }

  touchLease({ name, fence, until, note }: Parameters<LeaseStore["touchLease"]>[0]): Promise<boolean> {
    return this.#commit.write(() => this.#sql.touch(until, note, name, fence) === 1);
  }

  releaseLease({ name, fence, note }: LeaseKey & Pick<LeaseRecord, "note">): Promise<boolean> {
    return this.#commit.write(() => {
      const isReleased = this.#sql.touch(0, note, name, fence) === 1;
      if (isReleased) this.#changes.record("lease", name);
      return isReleased;
    });
  }

  claim({ name, now, until }: Claim): Promise<boolean> {
    return this.#commit.write(() => {
      this.#sql.forgetClaims(now);
      return this.#sql.claim(name, until) === 1;
    });
  }

  listLeases(prefix: string): Promise<readonly LeaseRecord[]> {
    return this.#database.read(() => this.#sql.list.all(prefix));
  }
}
