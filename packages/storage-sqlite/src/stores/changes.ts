import type { Clock } from "@telex/core";
import type { Change, ChangeFeed } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { integer, oneOf, type Row, text } from "../engine/rows.ts";

const kinds = [
  "token",
  "user",
  "members",
  "device",
  "marker",
  "recall",
  "amended",
  "bot",
  "lease",
  "session",
  "grant",
] as const;

const readChange = (row: Row): Change => ({
  seq: integer(row, "seq"),
  kind: oneOf(row, "kind", kinds),
  key: text(row, "key"),
});

/** Milliseconds that a change is kept. */
const changeLife = 60 * 60 * 1000;

const prepare = (database: Database) => ({
  insert: database.command("INSERT INTO changes (kind, key, at) VALUES (?, ?, ?)"),
  forget: database.command(`
    DELETE FROM changes WHERE seq IN (SELECT seq FROM (SELECT seq, at FROM changes ORDER BY seq LIMIT 4) WHERE at < ?)`),
  newest: database.query("SELECT coalesce(max(seq), 0) AS seq FROM changes", (row) => integer(row, "seq")),
  oldest: database.query("SELECT coalesce(min(seq), 0) AS seq FROM changes", (row) => integer(row, "seq")),
  // A newer program on the same file may have additional kinds.
  since: database.query(
    `SELECT seq, kind, key FROM changes WHERE seq > ? AND kind IN (${kinds.map((kind) => `'${kind}'`).join(", ")})
      ORDER BY seq LIMIT 1000`,
    readChange,
  ),
});

/** The change feed: a table, so that another process on the file sees it. */
export class SqliteChangeFeed implements ChangeFeed {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#sql = prepare(database);
  }

  latest(): Promise<number> {
    return this.#database.read(() => this.#sql.newest.only());
  }

  since(seq: number): Promise<readonly Change[] | null> {
    return this.#database.read(() => {
      const changes = this.#sql.since.all(seq);
      // Checked afterwards, because another process may remove changes during the read. The newest one is never removed.
      return this.#sql.oldest.only() > seq + 1 ? null : changes;
    });
  }

  /** Records a change in the transaction of its verb, and removes a few that are too old. */
  record(kind: Change["kind"], key: string): void {
    const now = this.#clock.now();
    this.#sql.insert(kind, key, now);
    this.#sql.forget(now - changeLife);
  }
}
