import type { DeviceMessageRecord, DeviceRecord } from "@telex/core";
import type { Database } from "./database.ts";
import { flag, integer, type Row, text } from "./rows.ts";

/** A device and what only this store knows of it. */
export interface StoredDevice {
  readonly device: DeviceRecord;
  /** Undelivered messages, held ones included. */
  readonly waiting: number;
  /** The greatest id of a message to the device, or 0. */
  readonly newest: number;
}

/** How a direction is stored. */
export const directionCode = { to_device: 0, from_device: 1 } as const;

const readDevice = (row: Row): StoredDevice => ({
  device: {
    deviceId: text(row, "device_id"),
    name: text(row, "name"),
    owner: integer(row, "owner"),
    createdAt: integer(row, "created_at"),
    lastSeen: integer(row, "last_seen"),
    away: flag(row, "away"),
  },
  waiting: integer(row, "waiting"),
  newest: integer(row, "newest"),
});

const readMessage = (row: Row): DeviceMessageRecord => ({
  id: integer(row, "id"),
  deviceId: text(row, "device_id"),
  direction: flag(row, "direction") ? "from_device" : "to_device",
  content: text(row, "content"),
  delivered: flag(row, "delivered"),
  createdAt: integer(row, "created_at"),
});

const readNonce = (row: Row) => ({ id: integer(row, "id"), at: integer(row, "at") });

const deviceColumns = "device_id, name, owner, created_at, last_seen, away, waiting, newest";
const messageColumns = "device_id, id, direction, content, delivered, created_at";

/** The statements that must not grow with the number of messages, apart so that a test can ask SQLite how it runs them. */
export const queueSql = {
  waiting: `SELECT ${messageColumns} FROM device_messages
    WHERE device_id = ? AND delivered = 0 AND id > ? ORDER BY id LIMIT ?`,
  waitingIds: "SELECT id FROM device_messages WHERE device_id = ? AND delivered = 0 AND id <= ? ORDER BY id",
  page: `SELECT ${messageColumns} FROM device_messages WHERE device_id = ? AND id < ? ORDER BY id DESC LIMIT ?`,
  forgetNonces: `DELETE FROM device_nonces WHERE (device_id, direction, nonce) IN
    (SELECT device_id, direction, nonce FROM device_nonces WHERE at <= ? ORDER BY at LIMIT 4)`,
} as const;

/** The statements on devices. */
export const prepareDevices = (database: Database) => ({
  insert: database.command(
    "INSERT INTO devices (device_id, name, owner, created_at, last_seen) VALUES (?, ?, ?, ?, ?)",
  ),
  find: database.query(`SELECT ${deviceColumns} FROM devices WHERE device_id = ?`, readDevice),
  list: database.query(`SELECT ${deviceColumns} FROM devices WHERE owner = ?`, readDevice),
  rename: database.command("UPDATE devices SET name = ?, last_seen = ?, away = 0 WHERE device_id = ?"),
  see: database.command("UPDATE devices SET last_seen = max(last_seen, ?), away = 0 WHERE device_id = ? AND owner = ?"),
  leave: database.command("UPDATE devices SET last_seen = ?, away = 1 WHERE device_id = ?"),
  enqueue: database.command("UPDATE devices SET waiting = waiting + 1, newest = ? WHERE device_id = ?"),
  dequeue: database.command("UPDATE devices SET waiting = waiting - ? WHERE device_id = ?"),
  remove: database.command("DELETE FROM devices WHERE device_id = ?"),
});

/** The statements on messages. */
export const prepareQueue = (database: Database) => ({
  insert: database.command(`INSERT INTO device_messages (${messageColumns}) VALUES (?, ?, ?, ?, ?, ?)`),
  find: database.query(`SELECT ${messageColumns} FROM device_messages WHERE device_id = ? AND id = ?`, readMessage),
  waiting: database.query(queueSql.waiting, readMessage),
  waitingIds: database.query(queueSql.waitingIds, (row) => integer(row, "id")),
  page: database.query(queueSql.page, readMessage),
  deliver: database.command(
    "UPDATE device_messages SET delivered = 1 WHERE device_id = ? AND id = ? AND delivered = 0",
  ),
  nonce: database.query(
    "SELECT id, at FROM device_nonces WHERE device_id = ? AND direction = ? AND nonce = ?",
    readNonce,
  ),
  keepNonce: database.command(
    "INSERT OR REPLACE INTO device_nonces (device_id, direction, nonce, id, at) VALUES (?, ?, ?, ?, ?)",
  ),
  forgetNonces: database.command(queueSql.forgetNonces),
});
