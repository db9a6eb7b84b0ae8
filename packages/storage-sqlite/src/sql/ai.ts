import type { Allocation, ConversationMessageRecord, ConversationRecord, Day, Usage } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { integer, oneOf, type Row, text, textOrNull } from "../engine/rows.ts";
import { type Columns, describeTable } from "../engine/table.ts";

const readAllocation = (row: Row): Allocation => ({
  unit: oneOf(row, "unit", ["count", "token"]),
  max: integer(row, "max"),
  period: oneOf(row, "period", ["daily", "weekly", "monthly"]),
});

const readUsage = (row: Row): Usage => ({
  replies: integer(row, "replies"),
  tokens: integer(row, "tokens"),
  started: integer(row, "started"),
});

const readDay = (row: Row): Usage & { readonly day: Day } => ({ day: text(row, "day"), ...readUsage(row) });

const readReserver = (row: Row) => ({ userId: integer(row, "user_id"), day: text(row, "day") });

const readExpired = (row: Row) => ({
  reservationId: text(row, "reservation_id"),
  soFar: textOrNull(row, "so_far"),
});

const conversations = describeTable("conversations");
const messages = describeTable("conversationMessages");
/** The fields of a new conversation, whose id the database assigns. */
export const givenConversation: Columns<Omit<ConversationRecord, "id">> = conversations.without("id");
/** The fields of a new message of a conversation, whose id the database assigns. */
export const givenMessage: Columns<Omit<ConversationMessageRecord, "id">> = messages.without("id");

const sums = `SELECT coalesce(sum(replies), 0) AS replies, coalesce(sum(tokens), 0) AS tokens,
  coalesce(sum(started), 0) AS started`;

export const prepareQuota = (database: Database) => ({
  allocation: database.query("SELECT unit, max, period FROM allocations WHERE user_id = ?", readAllocation),
  assign: database.command("INSERT OR REPLACE INTO allocations (user_id, unit, max, period) VALUES (?, ?, ?, ?)"),
  used: database.query(`${sums} FROM usage WHERE user_id = ? AND day >= ? AND day < ?`, readUsage),
  reserved: database.query(
    `${sums} FROM reservations WHERE user_id = ? AND expires_at > ? AND day >= ? AND day < ? AND reservation_id <> ?`,
    readUsage,
  ),
  usage: database.query(
    "SELECT day, replies, tokens, started FROM usage WHERE user_id = ? AND day >= ? AND day < ? ORDER BY day",
    readDay,
  ),
  reserve: database.command(`
    INSERT INTO reservations (reservation_id, user_id, day, replies, tokens, started, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (reservation_id) DO UPDATE SET tokens = excluded.tokens, expires_at = excluded.expires_at`),
  isReserved: database.query("SELECT 1 FROM reservations WHERE reservation_id = ?", () => true),
  release: database.query("DELETE FROM reservations WHERE reservation_id = ? RETURNING user_id, day", readReserver),
  touch: database.command("UPDATE reservations SET expires_at = ?, so_far = ? WHERE reservation_id = ?"),
  expired: database.query(
    "SELECT reservation_id, so_far FROM reservations WHERE expires_at <= ? ORDER BY expires_at LIMIT ?",
    readExpired,
  ),
  use: database.command(`
    INSERT INTO usage (user_id, day, replies, tokens, started) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET replies = replies + excluded.replies, tokens = tokens + excluded.tokens,
      started = started + excluded.started`),
});

const conversation = `SELECT ${conversations.names} FROM conversations`;

export const prepareConversations = (database: Database) => ({
  insert: database.query(
    `INSERT INTO conversations (${givenConversation.names}) VALUES (${givenConversation.marks})
    RETURNING ${conversations.names}`,
    conversations.read,
  ),
  count: database.query("SELECT count(*) AS total FROM conversations WHERE user_id = ?", (row) =>
    integer(row, "total"),
  ),
  find: database.query(`${conversation} WHERE id = ? AND user_id = ?`, conversations.read),
  amend: database.command("UPDATE conversations SET title = ?, status = ? WHERE id = ?"),
  drop: database.command("DELETE FROM conversations WHERE id = ? AND user_id = ?"),
  advance: database.command(`
    UPDATE conversations SET total_token = total_token + ?, last_message = ?, default_model = ?
    WHERE id = ? AND user_id = ?`),
  addMessage: database.query(
    `INSERT INTO conversation_messages (${givenMessage.names}) VALUES (${givenMessage.marks}) RETURNING id`,
    (row) => integer(row, "id"),
  ),
  dropMessages: database.command("DELETE FROM conversation_messages WHERE conversation_id = ? AND id BETWEEN ? AND ?"),
  pageMessages: database.query(
    `SELECT ${messages.names} FROM conversation_messages
    WHERE conversation_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    messages.read,
  ),
  page: database.query(`${conversation} WHERE user_id = ? AND id < ? ORDER BY id DESC LIMIT ?`, conversations.read),
  list: database.query(
    `${conversation} WHERE user_id = ? ORDER BY last_message DESC, id DESC LIMIT ? OFFSET ?`,
    conversations.read,
  ),
});
