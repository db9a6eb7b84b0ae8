import type { DeviceMessageRecord } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { flagAt, integerAt, integerOrNullAt, textAt, textOrNullAt } from "../engine/position-rows.ts";
import { integer, positionsOf, type Row, text } from "../engine/rows.ts";
import { marks } from "../engine/table.ts";

const readId = (row: Row): number => integer(row, "id");

const readNonce = (row: Row) => ({ id: integer(row, "id"), at: integer(row, "at") });

/** How a direction is stored. */
export const directionCode = { to_device: 0, from_device: 1 } as const;

const list = [
  "device_id",
  "id",
  "direction",
  "content",
  "delivered",
  "created_at",
  "room",
  "title",
  "priority",
  "expires_at",
  "shown",
  "ended",
  "via",
] as const;

const columns = list.join(", ");

const at = positionsOf(list);

function readEnded(value: string | null): DeviceMessageRecord["ended"] {
  if (value === null || value === "expired" || value === "failed") return value;
  throw new Error("A text has an end that this version does not know.");
}

const readMessage = (row: Row): DeviceMessageRecord => ({
  deviceId: textAt(row, at.device_id),
  id: integerAt(row, at.id),
  direction: flagAt(row, at.direction) ? "from_device" : "to_device",
  content: textAt(row, at.content),
  delivered: flagAt(row, at.delivered),
  createdAt: integerAt(row, at.created_at),
  room: flagAt(row, at.room),
  title: textOrNullAt(row, at.title),
  priority: integerAt(row, at.priority),
  expiresAt: integerOrNullAt(row, at.expires_at),
  shown: flagAt(row, at.shown),
  ended: readEnded(textOrNullAt(row, at.ended)),
  via: textOrNullAt(row, at.via),
});

const readExpired = (row: Row) => ({ deviceId: text(row, "device_id"), id: integer(row, "id") });

/** Not expired by a given time. */
const isCurrent = "(expires_at IS NULL OR expires_at > ?)";
const waiting = `FROM device_messages INDEXED BY device_queue WHERE device_id = ? AND delivered = 0`;

/**
 * The statements whose cost must not grow with the number of messages, exported for a test of their query plans. Waiting messages
 * are found by their own index: by itself, SQLite would scan all messages that were ever delivered.
 */
export const queueSql = {
  waiting: `SELECT ${columns} ${waiting} AND id > ? AND ${isCurrent} ORDER BY id LIMIT ?`,
  waitingWithoutRooms: `SELECT ${columns} ${waiting} AND id > ? AND ${isCurrent} AND room = 0 ORDER BY id LIMIT ?`,
  waitingIds: `SELECT id ${waiting} AND id <= ? AND (${isCurrent} OR shown = 1) ORDER BY id`,
  waitingBetween: `SELECT id ${waiting} AND id BETWEEN ? AND ? ORDER BY id`,
  waitingIdsWithoutRooms: `SELECT id ${waiting} AND id <= ? AND (${isCurrent} OR shown = 1) AND room = 0 ORDER BY id`,
  expired: `SELECT device_id, id FROM device_messages INDEXED BY device_lives
    WHERE delivered = 0 AND expires_at < ? ORDER BY expires_at LIMIT ?`,
  countExpired: `SELECT count(*) AS count FROM (SELECT 1 FROM device_messages INDEXED BY device_lives
    WHERE delivered = 0 AND expires_at <= ? AND device_id = ? LIMIT ?)`,
  newest: "SELECT id FROM device_messages WHERE device_id = ? ORDER BY id DESC LIMIT 1",
  page: `SELECT ${columns} FROM device_messages WHERE device_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  pageWithoutRooms: `SELECT ${columns} FROM device_messages WHERE device_id = ? AND id < ? AND room = 0
    ORDER BY id DESC LIMIT ?`,
  deliver: "UPDATE device_messages SET delivered = 1, ended = ? WHERE device_id = ? AND id = ? AND delivered = 0",
  deliverBetween: `UPDATE device_messages SET delivered = 1, ended = ?
    WHERE device_id = ? AND id BETWEEN ? AND ? AND delivered = 0`,
  forgetNonces: `DELETE FROM device_nonces WHERE (device_id, direction, nonce) IN
    (SELECT device_id, direction, nonce FROM device_nonces WHERE at <= ? ORDER BY at LIMIT 4)`,
} as const;

/** Sorting by priority reads all waiting messages, whose number the queue limits. */
const urgent = (withoutRooms: boolean): string =>
  `SELECT ${columns} ${waiting} AND id > ? AND ${isCurrent} ${withoutRooms ? "AND room = 0" : ""}
    ORDER BY priority DESC, id LIMIT ?`;

export const prepare = (database: Database) => ({
  urgent: database.queryByPosition(urgent(false), readMessage),
  urgentWithoutRooms: database.queryByPosition(urgent(true), readMessage),
  expired: database.query(queueSql.expired, readExpired),
  countExpired: database.query(queueSql.countExpired, (row) => integer(row, "count")),
  show: database.command("UPDATE device_messages SET shown = 1 WHERE device_id = ? AND id = ?"),
  insert: database.command(`INSERT INTO device_messages (${columns}) VALUES (${marks(list.length)})`),
  find: database.queryByPosition(`SELECT ${columns} FROM device_messages WHERE device_id = ? AND id = ?`, readMessage),
  waiting: database.queryByPosition(queueSql.waiting, readMessage),
  waitingWithoutRooms: database.queryByPosition(queueSql.waitingWithoutRooms, readMessage),
  waitingIds: database.query(queueSql.waitingIds, readId),
  waitingIdsWithoutRooms: database.query(queueSql.waitingIdsWithoutRooms, readId),
  waitingBetween: database.queryByPosition(queueSql.waitingBetween, (row) => integerAt(row, 0)),
  newest: database.query(queueSql.newest, readId),
  page: database.queryByPosition(queueSql.page, readMessage),
  pageWithoutRooms: database.queryByPosition(queueSql.pageWithoutRooms, readMessage),
  deliver: database.command(queueSql.deliver),
  deliverBetween: database.command(queueSql.deliverBetween),
  enqueue: database.command("UPDATE devices SET waiting = waiting + 1 WHERE device_id = ?"),
  dequeue: database.command("UPDATE devices SET waiting = waiting - ? WHERE device_id = ?"),
  nonce: database.query(
    "SELECT id, at FROM device_nonces WHERE device_id = ? AND direction = ? AND nonce = ?",
    readNonce,
  ),
  keepNonce: database.command(
    "INSERT OR REPLACE INTO device_nonces (device_id, direction, nonce, id, at) VALUES (?, ?, ?, ?, ?)",
  ),
  forgetNonces: database.command(queueSql.forgetNonces),
});
