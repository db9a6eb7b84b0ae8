import type {
  MessageAppend,
  MessageOutboxStore,
  OutboxRecord,
  SendClaim,
  SendClaimed,
  SendEnd,
  SendKey,
  SendRoom,
} from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { integer, text } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";

const { names, marks, values, read } = describeTable("outbox");

const outboxSql = {
  forget: "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE until <= ? LIMIT 100)",
  same: `SELECT ${names} FROM outbox WHERE group_id = ? AND user_id = ? AND nonce = ? AND until > ?`,
  count: `SELECT count(*) AS total FROM outbox WHERE account = ? AND until > ?
    AND (state = 'waiting' OR (state = 'started' AND at >= ?))`,
  started: `SELECT ${names} FROM outbox
    WHERE account = ? AND group_id = ? AND state IN ('started', 'unknown') AND until > ? ORDER BY at`,
  next: `SELECT ${names} FROM outbox
    WHERE account = ? AND group_id = ? AND state = 'waiting' AND until > ? ORDER BY id LIMIT 1`,
  rooms: `SELECT DISTINCT account, group_id FROM outbox WHERE state = 'waiting' AND until > ?`,
  some: `SELECT ${names} FROM outbox WHERE id IN (SELECT value FROM json_each(?)) AND until > ?`,
  touch: `UPDATE outbox SET until = max(until, ?)
    WHERE id IN (SELECT value FROM json_each(?)) AND state = 'waiting' AND until > ?`,
  fail: `UPDATE outbox SET state = 'failed', nonce = NULL, fingerprint = '', message = ?, until = ? WHERE id = ? AND state = ?`,
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
  next: database.query(outboxSql.next, read),
  rooms: database.query(outboxSql.rooms, (row) => ({
    account: text(row, "account"),
    groupId: integer(row, "group_id"),
  })),
  some: database.query(outboxSql.some, read),
  touch: database.command(outboxSql.touch),
  fail: database.command(outboxSql.fail),
  lose: database.command("UPDATE outbox SET state = 'unknown' WHERE id = ? AND state = ?"),
});

const rowOf = ({ nonce, limit: _limit, activeSince: _activeSince, ...claim }: SendClaim): OutboxRecord => ({
  ...claim,
  nonce: nonce?.value ?? null,
  fingerprint: nonce?.fingerprint ?? "",
  state: "waiting",
});

/** Messages to be sent to external networks. Only call the methods in a transaction, except `findNext` and `list…`. */
export class Outbox {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Puts a message into the outbox. No stored message may have its nonce. */
  claim(claim: SendClaim): SendClaimed {
    const { account, at, limit, activeSince } = claim;
    this.#sql.forget(at);
    const same = this.#findSame(claim);
    // A failed message has no nonce.
    if (same !== null && same.state !== "failed") {
      if (same.fingerprint !== claim.nonce?.fingerprint) return { outcome: "nonce_conflict" };
      return { outcome: same.state, first: { account: same.account, id: same.id } };
    }
    if (this.#sql.count.only(account, at, activeSince) >= limit) return { outcome: "full" };
    this.#sql.insert(...values(rowOf(claim)));
    return { outcome: "claimed" };
  }

  start({ id, now, until }: SendKey & { readonly now: number; readonly until: number }): boolean {
    return this.#sql.start.one(now, until, id, now) !== null;
  }

  touch({ ids, now, until }: Parameters<MessageOutboxStore["touchSends"]>[0]): void {
    this.#sql.touch(until, JSON.stringify(ids), now);
  }

  finish(end: SendEnd): boolean {
    const { id, from } = end;
    const changed =
      end.outcome === "failed" ? this.#sql.fail(end.reason, end.until, id, from) : this.#sql.lose(id, from);
    return changed === 1;
  }

  list({ ids, now }: { readonly ids: readonly string[]; readonly now: number }): readonly OutboxRecord[] {
    return this.#sql.some.all(JSON.stringify(ids), now);
  }

  findNext({ account, groupId, now }: SendRoom & { readonly now: number }): OutboxRecord | null {
    return this.#sql.next.one(account, groupId, now);
  }

  listRooms(now: number): readonly SendRoom[] {
    return this.#sql.rooms.all(now);
  }

  listStarted({ account, groupId, now }: SendRoom & { readonly now: number }): readonly OutboxRecord[] {
    return this.#sql.started.all(account, groupId, now);
  }

  /** Removes a stored message from the outbox, or marks it as `partly` sent if the network has only a part of it. */
  settle(sent: MessageAppend["sent"]): void {
    if (sent === null) return;
    if (sent.isPart) this.#sql.leave(sent.id);
    else this.#sql.drop(sent.id);
  }

  #findSame({ groupId, userId, nonce, at }: SendClaim): OutboxRecord | null {
    return nonce === null ? null : this.#sql.same.one(groupId, userId, nonce.value, at);
  }
}
