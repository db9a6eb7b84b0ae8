import type { Allocation, ConversationMessageRecord, ConversationRecord, Day, Usage } from "@telex/core/storage";
import type { Database } from "./database.ts";
import { integer, oneOf, type Row, text, textOrNull } from "./rows.ts";

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

const readConversation = (row: Row): ConversationRecord => ({
  id: integer(row, "id"),
  userId: integer(row, "user_id"),
  title: text(row, "title"),
  status: oneOf(row, "status", [0, 1]),
  defaultModel: text(row, "default_model"),
  lastMessage: integer(row, "last_message"),
  totalToken: integer(row, "total_token"),
});

const readMessage = (row: Row): ConversationMessageRecord => ({
  id: integer(row, "id"),
  conversationId: integer(row, "conversation_id"),
  role: oneOf(row, "role", ["user", "assistant"]),
  content: text(row, "content"),
  model: text(row, "model"),
  finishReason: textOrNull(row, "finish_reason"),
  createdAt: integer(row, "created_at"),
});

const sums = `SELECT coalesce(sum(replies), 0) AS replies, coalesce(sum(tokens), 0) AS tokens,
  coalesce(sum(started), 0) AS started`;

/** The statements on quotas. */
export const prepareQuota = (database: Database) => ({
  allocation: database.query("SELECT unit, max, period FROM allocations WHERE user_id = ?", readAllocation),
  assign: database.command("INSERT OR REPLACE INTO allocations (user_id, unit, max, period) VALUES (?, ?, ?, ?)"),
  used: database.query(`${sums} FROM usage WHERE user_id = ? AND day >= ? AND day < ?`, readUsage),
  reserved: database.query(
    `${sums} FROM reservations WHERE user_id = ? AND expires_at > ? AND day >= ? AND day < ?`,
    readUsage,
  ),
  usage: database.query(
    "SELECT day, replies, tokens, started FROM usage WHERE user_id = ? AND day >= ? AND day < ? ORDER BY day",
    readDay,
  ),
  reserve: database.command(`
    INSERT INTO reservations (reservation_id, user_id, day, replies, tokens, started, expires_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)`),
  release: database.query("DELETE FROM reservations WHERE reservation_id = ? RETURNING user_id, day", readReserver),
  use: database.command(`
    INSERT INTO usage (user_id, day, replies, tokens, started) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET replies = replies + excluded.replies, tokens = tokens + excluded.tokens,
      started = started + excluded.started`),
});

const conversation = "SELECT id, user_id, title, status, default_model, last_message, total_token FROM conversations";

/** The statements on conversations. */
export const prepareConversations = (database: Database) => ({
  insert: database.query(
    `INSERT INTO conversations (user_id, title, status, default_model, last_message, total_token)
    VALUES (?, ?, ?, ?, ?, ?) RETURNING *`,
    readConversation,
  ),
  count: database.query("SELECT count(*) AS total FROM conversations WHERE user_id = ?", (row) =>
    integer(row, "total"),
  ),
  find: database.query(`${conversation} WHERE id = ? AND user_id = ?`, readConversation),
  amend: database.command("UPDATE conversations SET title = ?, status = ? WHERE id = ?"),
  drop: database.command("DELETE FROM conversations WHERE id = ? AND user_id = ?"),
  advance: database.command(`
    UPDATE conversations SET total_token = total_token + ?, last_message = ?, default_model = ?
    WHERE id = ? AND user_id = ?`),
  addMessage: database.command(`
    INSERT INTO conversation_messages (conversation_id, role, content, model, finish_reason, created_at)
    VALUES (?, ?, ?, ?, ?, ?)`),
  pageMessages: database.query(
    `SELECT id, conversation_id, role, content, model, finish_reason, created_at FROM conversation_messages
    WHERE conversation_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
    readMessage,
  ),
  list: database.query(
    `${conversation} WHERE user_id = ? ORDER BY last_message DESC, id DESC LIMIT ? OFFSET ?`,
    readConversation,
  ),
});
