import type { DeviceAppend, DeviceMessageRecord, DeviceTake, TeleprinterStore } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { Holds } from "./holds.ts";
import type { Ids } from "../engine/ids.ts";
import { flag, integer, placesOf, type Row, text } from "../engine/rows.ts";
import { marks } from "../engine/table.ts";

type Page = Parameters<TeleprinterStore["page"]>[0];

/** The input of {@link TeleprinterStore.acknowledge}. */
export type Acknowledgement = Parameters<TeleprinterStore["acknowledge"]>[0];

type QueueQuery = Pick<DeviceTake, "deviceId" | "limit" | "after" | "withoutRooms">;

/** The result of {@link TeleprinterStore.acknowledge}. */
export type Acknowledged = Awaited<ReturnType<TeleprinterStore["acknowledge"]>>;

/** The result of {@link TeleprinterStore.take}. */
export type DeviceTaken = Awaited<ReturnType<TeleprinterStore["take"]>>;

const readId = (row: Row): number => integer(row, "id");

const readNonce = (row: Row) => ({ id: integer(row, "id"), at: integer(row, "at") });

/** How a direction is stored. */
const directionCode = { to_device: 0, from_device: 1 } as const;

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

const prepare = (database: Database) => ({
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

/**
 * The messages of devices: what is stored, and who holds what waits. A device's row counts what waits, so that an empty
 * queue is known without a look at it.
 */
export class DeviceQueue {
  readonly holds = new Holds();
  readonly #ids: Ids;
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database, ids: Ids) {
    this.#ids = ids;
    this.#sql = prepare(database);
  }

  /** Adds a message and remembers its nonce. Only for a verb that runs in a transaction. */
  insert({ deviceId, direction, content, now, nonce, nonceLife, room = false }: DeviceAppend): DeviceMessageRecord {
    const id = this.#ids.next("device_message");
    const code = directionCode[direction];
    const delivered = direction === "from_device";
    this.#sql.insert(deviceId, id, code, content, Number(delivered), now, Number(room));
    if (!delivered) this.#sql.enqueue(deviceId);
    if (nonce !== null) {
      this.#sql.forgetNonces(now - nonceLife);
      this.#sql.keepNonce(deviceId, code, nonce, id, now);
    }
    return { id, deviceId, direction, content, delivered, createdAt: now, room };
  }

  /** The message that came with the nonce of this one, or null. */
  findRepeated({ deviceId, direction, nonce, now, nonceLife }: DeviceAppend): DeviceMessageRecord | null {
    const known = nonce === null ? null : this.#sql.nonce.one(deviceId, directionCode[direction], nonce);
    return known === null || known.at <= now - nonceLife ? null : this.#sql.find.only(deviceId, known.id);
  }

  /** The oldest waiting messages above an id. */
  findWaiting({ deviceId, limit, after = 0, withoutRooms = false }: QueueQuery): DeviceMessageRecord[] {
    const waiting = withoutRooms ? this.#sql.waitingWithoutRooms : this.#sql.waiting;
    return waiting.all(deviceId, after, limit);
  }

  /**
   * Holds the queue, and answers what waits there.
   * @param waiting undelivered messages of the device
   */
  take(take: DeviceTake, waiting: number): DeviceTaken {
    const { deviceId, holder, keep = false, now, until } = take;
    if (!keep && waiting === 0) return { outcome: "taken", messages: [] };
    const other = this.holds.holderOf(deviceId, now);
    if (other !== null && other !== holder) return { outcome: "held", holder: other };
    const messages = waiting === 0 ? [] : this.findWaiting(take);
    if (keep || messages.length > 0) this.holds.take(deviceId, { holder, until });
    return { outcome: "taken", messages };
  }

  /** The greatest id of the device's messages, or 0. */
  findNewest(deviceId: string): number {
    return this.#sql.newest.one(deviceId) ?? 0;
  }

  /** Marks messages as delivered, and answers which did wait. Only for a verb that runs in a transaction. */
  deliver(deviceId: string, ids: readonly number[]): readonly number[] {
    const marked = ids.filter((id) => this.#sql.deliver(deviceId, id) > 0);
    if (marked.length > 0) this.#sql.dequeue(marked.length, deviceId);
    return marked;
  }

  /**
   * The answer to an acknowledgement that has nothing to mark, or null: an empty poll touches no disk.
   * @param waiting undelivered messages of the device
   */
  answerWithoutMarking(ack: Acknowledgement, waiting: number): Acknowledged | null {
    const newest = this.findNewest(ack.deviceId);
    if (ack.upTo > newest) return { outcome: "above_newest", newest };
    if (waiting === 0) return { outcome: "acknowledged", messages: [], marked: [] };
    const holder = this.holds.holderOf(ack.deviceId, ack.now);
    if (holder !== null) return { outcome: "held", holder };
    const messages = this.findWaiting(ack);
    const oldest = messages[0];
    return oldest !== undefined && oldest.id <= ack.upTo ? null : { outcome: "acknowledged", messages, marked: [] };
  }

  /** Marks what is acknowledged. Only for a verb that runs in a transaction. */
  acknowledge(ack: Acknowledgement): Acknowledged {
    const { deviceId, upTo, withoutRooms = false } = ack;
    const waiting = withoutRooms ? this.#sql.waitingIdsWithoutRooms : this.#sql.waitingIds;
    const marked = this.deliver(deviceId, waiting.all(deviceId, upTo));
    return { outcome: "acknowledged", messages: this.findWaiting(ack), marked };
  }

  /** Messages of both directions below an id, newest first, at most `limit`. */
  page({ deviceId, before, limit, withoutRooms = false }: Page): DeviceMessageRecord[] {
    const query = withoutRooms ? this.#sql.pageWithoutRooms : this.#sql.page;
    return query.all(deviceId, before ?? Number.MAX_SAFE_INTEGER, limit);
  }
}
