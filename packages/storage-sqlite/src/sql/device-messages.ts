import type { DeviceMessageRecord } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { flag, integer, placesOf, type Row, text } from "../engine/rows.ts";
import { marks } from "../engine/table.ts";

const readId = (row: Row): number => integer(row, "id");

const readNonce = (row: Row) => ({ id: integer(row, "id"), at: integer(row, "at") });

/** How a direction is stored. */
export const directionCode = { to_device: 0, from_device: 1 } as const;

const list = ["device_id", "id", "direction", "content", "delivered", "created_at", "room"] as const;

const columns = list.join(", ");

const at = placesOf(list);

const readMessage = (row: Row): DeviceMessageRecord => ({
  deviceId: text(row, at.device_id),
  id: integer(row, at.id),
  direction: flag(row, at.direction) ? "from_device" : "to_device",
  content: text(row, at.content),
  delivered: flag(row, at.delivered),
  createdAt: integer(row, at.created_at),
  room: flag(row, at.room),
});

/**
 * The statements whose cost must not grow with the number of messages, apart so that a test can have them explained. What
 * waits is found by the index of what waits: SQLite would rather go through all that was ever delivered.
 */
export const queueSql = {
  waiting: `SELECT ${columns} FROM device_messages INDEXED BY device_queue
    WHERE device_id = ? AND delivered = 0 AND id > ? ORDER BY id LIMIT ?`,
  waitingWithoutRooms: `SELECT ${columns} FROM device_messages INDEXED BY device_queue
    WHERE device_id = ? AND delivered = 0 AND id > ? AND room = 0 ORDER BY id LIMIT ?`,
  waitingIds: `SELECT id FROM device_messages INDEXED BY device_queue
    WHERE device_id = ? AND delivered = 0 AND id <= ? ORDER BY id`,
  waitingIdsWithoutRooms: `SELECT id FROM device_messages INDEXED BY device_queue
    WHERE device_id = ? AND delivered = 0 AND id <= ? AND room = 0 ORDER BY id`,
  newest: "SELECT id FROM device_messages WHERE device_id = ? ORDER BY id DESC LIMIT 1",
  page: `SELECT ${columns} FROM device_messages WHERE device_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  pageWithoutRooms: `SELECT ${columns} FROM device_messages WHERE device_id = ? AND id < ? AND room = 0
    ORDER BY id DESC LIMIT ?`,
  deliver: "UPDATE device_messages SET delivered = 1 WHERE device_id = ? AND id = ? AND delivered = 0",
  forgetNonces: `DELETE FROM device_nonces WHERE (device_id, direction, nonce) IN
    (SELECT device_id, direction, nonce FROM device_nonces WHERE at <= ? ORDER BY at LIMIT 4)`,
} as const;

export const prepare = (database: Database) => ({
  insert: database.command(`INSERT INTO device_messages (${columns}) VALUES (${marks(list.length)})`),
  find: database.queryByPlace(`SELECT ${columns} FROM device_messages WHERE device_id = ? AND id = ?`, readMessage),
  waiting: database.queryByPlace(queueSql.waiting, readMessage),
  waitingWithoutRooms: database.queryByPlace(queueSql.waitingWithoutRooms, readMessage),
  waitingIds: database.query(queueSql.waitingIds, readId),
  waitingIdsWithoutRooms: database.query(queueSql.waitingIdsWithoutRooms, readId),
  newest: database.query(queueSql.newest, readId),
  page: database.queryByPlace(queueSql.page, readMessage),
  pageWithoutRooms: database.queryByPlace(queueSql.pageWithoutRooms, readMessage),
  deliver: database.command(queueSql.deliver),
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
