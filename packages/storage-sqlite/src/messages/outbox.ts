import type { MessageAppend, OutboxRecord, SendClaim, SendClaimed, SendKey } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { integer } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";

const { names, marks, values, read } = describeTable("outbox");

const outboxSql = {
  forget: "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE until <= ? LIMIT 100)",
  same: `SELECT ${names} FROM outbox WHERE group_id = ? AND user_id = ? AND nonce = ? AND until > ?`,
  count: `SELECT count(*) AS total FROM outbox WHERE account = ? AND until > ?
    AND (state = 'waiting' OR (state = 'started' AND at >= ?))`,
  started: `SELECT ${names} FROM outbox WHERE account = ? AND until > ? AND group_id = ? AND state = 'started' ORDER BY at`,
} as const;

const prepare = (database: Database) => ({
  forget: database.command(outboxSql.forget),
  same: database.query(outboxSql.same, read),
  count: database.query(outboxSql.count, (row) => integer(row, "total")),
  started: database.query(outboxSql.started, read),
  insert: database.command(`INSERT INTO outbox (${names}) VALUES (${marks})`),
  start: database.query(
    `UPDATE outbox SET state = 'started', at = ?, until = ? WHERE id = ? AND state = 'waiting' AND until > ?
      RETURNING ${names}`,
    read,
  ),
  leave: database.command("UPDATE outbox SET state = 'partly' WHERE id = ?"),
  drop: database.command("DELETE FROM outbox WHERE id = ?"),
  cancel: database.command("DELETE FROM outbox WHERE id = ? AND state = 'waiting'"),
  find: database.query(`SELECT ${names} FROM outbox WHERE id = ? AND until > ?`, read),
});

const rowOf = ({ nonce, limit: _limit, activeSince: _activeSince, ...claim }: SendClaim): OutboxRecord => ({
  ...claim,
  nonce: nonce?.value ?? null,
  fingerprint: nonce?.fingerprint ?? "",
  state: "waiting",
});

/** Messages on their way to external networks. Every call but `find` and `listStarted` only for a verb that runs in a transaction. */
export class Outbox {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Puts a message into the outbox whose nonce no stored message has. */
  claim(asked: SendClaim): SendClaimed {
    const { account, at, limit, activeSince } = asked;
    this.#sql.forget(at);
    const same = this.#findSame(asked);
    if (same !== null) {
      if (same.fingerprint !== asked.nonce?.fingerprint) return { outcome: "nonce_conflict" };
      return { outcome: same.state, first: { account: same.account, id: same.id } };
    }
    if (this.#sql.count.only(account, at, activeSince) >= limit) return { outcome: "full" };
    this.#sql.insert(...values(rowOf(asked)));
    return { outcome: "claimed" };
  }

  start({ id, now, until }: SendKey & { readonly now: number; readonly until: number }): boolean {
    return this.#sql.start.one(now, until, id, now) !== null;
  }

  drop({ id }: Pick<SendKey, "id">): void {
    this.#sql.drop(id);
  }

  cancel({ id }: Pick<SendKey, "id">): boolean {
    return this.#sql.cancel(id) === 1;
  }

  find({ id, now }: SendKey & { readonly now: number }): OutboxRecord | null {
    return this.#sql.find.one(id, now);
  }

  listStarted({ account, groupId, now }: Pick<OutboxRecord, "account" | "groupId"> & { readonly now: number }) {
    return this.#sql.started.all(account, now, groupId);
  }

  /** A message was stored: it leaves the outbox, or the rest of it stays. */
  settle(sent: MessageAppend["sent"]): void {
    if (sent === null) return;
    if (sent.isPart) this.#sql.leave(sent.id);
    else this.drop(sent);
  }

  #findSame({ groupId, userId, nonce, at }: SendClaim): OutboxRecord | null {
    return nonce === null ? null : this.#sql.same.one(groupId, userId, nonce.value, at);
  }
}
