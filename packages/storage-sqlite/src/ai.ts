import type { AiStore, Allocation, ConversationRecord, Day, DayRange, Reservation, Usage } from "@telex/core";
import type { Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { integer, oneOf, type Row, text } from "./rows.ts";

const readAllocation = (row: Row): Allocation => ({
  unit: oneOf(row, "unit", ["count", "token"]),
  max: integer(row, "max"),
  period: oneOf(row, "period", ["daily", "weekly", "monthly"]),
});

const readUsage = (row: Row): Usage => ({ replies: integer(row, "replies"), tokens: integer(row, "tokens") });

const readDay = (row: Row): Usage & { readonly day: Day } => ({ day: text(row, "day"), ...readUsage(row) });

const readReserver = (row: Row) => ({ userId: integer(row, "user_id"), day: text(row, "day") });

const readConversation = (row: Row): ConversationRecord => ({
  id: integer(row, "id"),
  userId: integer(row, "user_id"),
  title: text(row, "title"),
  status: oneOf(row, "status", [0, 1]),
  defaultModel: text(row, "default_model"),
  lastMessage: integer(row, "last_message"),
  totalToken: integer(row, "total_token"),
});

const sums = "SELECT coalesce(sum(replies), 0) AS replies, coalesce(sum(tokens), 0) AS tokens";

const prepareQuota = (database: Database) => ({
  allocation: database.query("SELECT unit, max, period FROM allocations WHERE user_id = ?", readAllocation),
  assign: database.command("INSERT OR REPLACE INTO allocations (user_id, unit, max, period) VALUES (?, ?, ?, ?)"),
  used: database.query(`${sums} FROM usage WHERE user_id = ? AND day >= ? AND day < ?`, readUsage),
  reserved: database.query(
    `${sums} FROM reservations WHERE user_id = ? AND expires_at > ? AND day >= ? AND day < ?`,
    readUsage,
  ),
  usage: database.query(
    "SELECT day, replies, tokens FROM usage WHERE user_id = ? AND day >= ? AND day < ? ORDER BY day",
    readDay,
  ),
  reserve: database.command(`
    INSERT INTO reservations (reservation_id, user_id, day, replies, tokens, expires_at) VALUES (?, ?, ?, ?, ?, ?)`),
  release: database.query("DELETE FROM reservations WHERE reservation_id = ? RETURNING user_id, day", readReserver),
  use: database.command(`
    INSERT INTO usage (user_id, day, replies, tokens) VALUES (?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET replies = replies + excluded.replies, tokens = tokens + excluded.tokens`),
});

const prepareConversations = (database: Database) => ({
  insert: database.query(
    `INSERT INTO conversations (user_id, title, status, default_model, last_message, total_token)
    VALUES (?, ?, ?, ?, ?, ?) RETURNING *`,
    readConversation,
  ),
  count: database.query("SELECT count(*) AS total FROM conversations WHERE user_id = ?", (row) =>
    integer(row, "total"),
  ),
  list: database.query(
    `SELECT id, user_id, title, status, default_model, last_message, total_token FROM conversations
    WHERE user_id = ? ORDER BY last_message DESC, id DESC LIMIT ? OFFSET ?`,
    readConversation,
  ),
});

/** What {@link AiStore.reserve} is asked for. */
type ReserveRequest = Parameters<AiStore["reserve"]>[0];

/** Quotas and conversations. A reservation is a row until it is settled. */
export class SqliteAiStore implements AiStore {
  readonly #database: Database;
  readonly #commit: GroupCommit;
  readonly #quota: ReturnType<typeof prepareQuota>;
  readonly #conversations: ReturnType<typeof prepareConversations>;

  constructor(database: Database, commit: GroupCommit) {
    this.#database = database;
    this.#commit = commit;
    this.#quota = prepareQuota(database);
    this.#conversations = prepareConversations(database);
  }

  findAllocation(userId: number): Promise<Allocation | null> {
    return this.#database.read(() => this.#quota.allocation.one(userId));
  }

  assignAllocation(userId: number, allocation: Allocation): Promise<void> {
    return this.#commit.write(() => {
      this.#quota.assign(userId, allocation.unit, allocation.max, allocation.period);
    });
  }

  sumUsage(userId: number, days: DayRange): Promise<Usage> {
    return this.#database.read(() => this.#quota.used.only(userId, days.from, days.to));
  }

  listUsage(userId: number, days: DayRange): Promise<readonly (Usage & { readonly day: Day })[]> {
    return this.#database.read(() => this.#quota.usage.all(userId, days.from, days.to));
  }

  reserve(request: ReserveRequest): Promise<"reserved" | "exceeded"> {
    return this.#commit.write(() => {
      if (this.#wouldUse(request) > request.max) return "exceeded";
      const { reservationId, userId, day, replies, tokens, expiresAt }: Reservation = request.reservation;
      this.#quota.reserve(reservationId, userId, day, replies, tokens, expiresAt);
      return "reserved";
    });
  }

  settle(settlement: { readonly reservationId: string; readonly used: Usage }): Promise<boolean> {
    return this.#commit.write(() => {
      const reserver = this.#quota.release.one(settlement.reservationId);
      if (reserver === null) return false;
      const { replies, tokens } = settlement.used;
      if (replies > 0 || tokens > 0) this.#quota.use(reserver.userId, reserver.day, replies, tokens);
      return true;
    });
  }

  appendConversation(conversation: Omit<ConversationRecord, "id">): Promise<ConversationRecord> {
    const { userId, title, status, defaultModel, lastMessage, totalToken } = conversation;
    return this.#commit.write(() =>
      this.#conversations.insert.only(userId, title, status, defaultModel, lastMessage, totalToken),
    );
  }

  listConversations(
    userId: number,
    page: { readonly offset: number; readonly limit: number },
  ): Promise<{ readonly total: number; readonly list: readonly ConversationRecord[] }> {
    return this.#database.readTogether(() => ({
      total: this.#conversations.count.only(userId),
      list: this.#conversations.list.all(userId, page.limit, page.offset),
    }));
  }

  /** What the days would come to with this reservation, in its unit. */
  #wouldUse({ reservation, unit, days, now }: ReserveRequest): number {
    const { userId } = reservation;
    const used = this.#quota.used.only(userId, days.from, days.to);
    const reserved = this.#quota.reserved.only(userId, now, days.from, days.to);
    const field = unit === "count" ? "replies" : "tokens";
    return used[field] + reserved[field] + reservation[field];
  }
}
