import type { SessionRecord, SessionStore } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { flag, integer, type Row, text } from "../engine/rows.ts";
import type { SqliteChangeFeed } from "../stores/changes.ts";

const columns = `session_id, digest, user_id, browser, address, stay, created_at, last_used_at, until, absolute_until,
  confirmed_at`;

const read = (row: Row): SessionRecord => ({
  sessionId: text(row, "session_id"),
  digest: text(row, "digest"),
  userId: integer(row, "user_id"),
  browser: text(row, "browser"),
  address: text(row, "address"),
  stay: flag(row, "stay"),
  createdAt: integer(row, "created_at"),
  lastUsedAt: integer(row, "last_used_at"),
  until: integer(row, "until"),
  absoluteUntil: integer(row, "absolute_until"),
  confirmedAt: integer(row, "confirmed_at"),
});

const idOf = (row: Row): string => text(row, "session_id");

const prepare = (database: Database) => ({
  insert: database.command(`INSERT INTO sessions (${columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
  find: database.query(`SELECT ${columns} FROM sessions WHERE digest = ? AND until > ?`, read),
  list: database.query(
    `SELECT ${columns} FROM sessions WHERE user_id = ? AND until > ? ORDER BY last_used_at DESC, session_id`,
    read,
  ),
  touch: database.command(`
    UPDATE sessions SET last_used_at = max(last_used_at, ?1), until = max(until, min(?2, absolute_until))
      WHERE session_id = ?3 AND user_id = ?4 AND until > ?1`),
  confirm: database.command(
    "UPDATE sessions SET confirmed_at = max(confirmed_at, ?) WHERE session_id = ? AND user_id = ?",
  ),
  end: database.query("DELETE FROM sessions WHERE session_id = ? AND user_id = ? RETURNING session_id", idOf),
  endAll: database.query("DELETE FROM sessions WHERE user_id = ? AND session_id IS NOT ? RETURNING session_id", idOf),
  endOldest: database.query(
    `DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM sessions WHERE user_id = ?
      ORDER BY last_used_at DESC, session_id LIMIT -1 OFFSET ?) RETURNING session_id`,
    idOf,
  ),
  sweep: database.command(
    "DELETE FROM sessions WHERE session_id IN (SELECT session_id FROM sessions WHERE until <= ? LIMIT ?)",
  ),
});

/** Sessions, in a transaction. */
export class SessionRows {
  readonly #sql: ReturnType<typeof prepare>;
  readonly #changes: SqliteChangeFeed;

  constructor(database: Database, changes: SqliteChangeFeed) {
    this.#sql = prepare(database);
    this.#changes = changes;
  }

  find(digest: string, now: number): SessionRecord | null {
    return this.#sql.find.one(digest, now);
  }

  list(userId: number, now: number): SessionRecord[] {
    return this.#sql.list.all(userId, now);
  }

  /** Adds a session, and ends the oldest ones of the user if there are more than `limit`. */
  add(session: SessionRecord, limit: number): void {
    const { sessionId, digest, userId, browser, address, stay, createdAt } = session;
    const { lastUsedAt, until, absoluteUntil, confirmedAt } = session;
    this.#report(this.#sql.endOldest.all(userId, limit - 1));
    this.#sql.insert(
      sessionId,
      digest,
      userId,
      browser,
      address,
      Number(stay),
      createdAt,
      lastUsedAt,
      until,
      absoluteUntil,
      confirmedAt,
    );
  }

  touch({ sessionId, userId, lastUsedAt, until }: Parameters<SessionStore["touchSession"]>[0]): void {
    this.#sql.touch(lastUsedAt, until, sessionId, userId);
  }

  confirm({ sessionId, userId, confirmedAt }: Parameters<SessionStore["confirmSession"]>[0]): boolean {
    return this.#sql.confirm(confirmedAt, sessionId, userId) > 0;
  }

  end(userId: number, sessionId: string): boolean {
    return this.#report(this.#sql.end.all(sessionId, userId)) > 0;
  }

  endAll(userId: number, except: string | null): number {
    return this.#report(this.#sql.endAll.all(userId, except));
  }

  /** Returns how many were deleted. */
  sweep(now: number, limit: number): number {
    return this.#sql.sweep(now, limit);
  }

  #report(ended: readonly string[]): number {
    for (const sessionId of ended) this.#changes.record("session", sessionId);
    return ended.length;
  }
}

/** All verbs except `createSession`, which reads the account. */
export const createSessionVerbs = (
  database: Database,
  commit: GroupCommit,
  sessions: SessionRows,
): Omit<SessionStore, "createSession"> => ({
  findSession: (digest, now) => database.read(() => sessions.find(digest, now)),
  listSessions: (userId, now) => database.read(() => sessions.list(userId, now)),
  touchSession({ ...use }) {
    return commit.write(() => sessions.touch(use));
  },
  confirmSession({ ...confirmation }) {
    return commit.write(() => sessions.confirm(confirmation));
  },
  endSession: ({ userId, sessionId }) => commit.write(() => sessions.end(userId, sessionId)),
  endSessions: (userId, except) => commit.write(() => sessions.endAll(userId, except)),
});
