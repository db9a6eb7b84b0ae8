import type { DeviceKey, DeviceScheduleRecord, ScheduleStore } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { integer, type Row } from "../engine/rows.ts";
import { describeTable } from "../engine/table.ts";

const table = describeTable("deviceSchedules");

const readCount = (row: Row): number => integer(row, "count");

const prepare = (database: Database) => ({
  find: database.query(`SELECT ${table.names} FROM device_schedules WHERE device_id = ? AND id = ?`, table.read),
  list: database.query(`SELECT ${table.names} FROM device_schedules WHERE device_id = ? ORDER BY at, id`, table.read),
  due: database.query(
    `SELECT ${table.names} FROM device_schedules INDEXED BY due_schedules WHERE at <= ?
      ORDER BY at, device_id, id LIMIT ?`,
    table.read,
  ),
  countOfDevice: database.query("SELECT count(*) AS count FROM device_schedules WHERE device_id = ?", readCount),
  countOfOwner: database.query("SELECT count(*) AS count FROM device_schedules WHERE owner = ?", readCount),
  insert: database.command(`INSERT INTO device_schedules (${table.names}) VALUES (${table.marks})`),
  remove: database.command("DELETE FROM device_schedules WHERE device_id = ? AND id = ?"),
});

type Schedule = Parameters<ScheduleStore["schedule"]>[0];

/** Texts that are sent later. Callers check first that the device exists. */
export class DeviceSchedules {
  readonly #sql: ReturnType<typeof prepare>;

  constructor(database: Database) {
    this.#sql = prepare(database);
  }

  /** Adds a text, or returns the reason why not. */
  add({ deviceLimit, ownerLimit, ...schedule }: Schedule) {
    const { deviceId, id, owner, content, at } = schedule;
    const before = this.#sql.find.one(deviceId, id);
    if (before !== null) {
      const isSame = before.content === content && before.at === at;
      return isSame ? ({ outcome: "repeated", schedule: before } as const) : ({ outcome: "nonce_conflict" } as const);
    }
    const isFull =
      this.#sql.countOfDevice.only(deviceId) >= deviceLimit || this.#sql.countOfOwner.only(owner) >= ownerLimit;
    if (isFull) return { outcome: "full" } as const;
    this.#sql.insert(...table.values(schedule));
    return { outcome: "scheduled", schedule } as const;
  }

  list({ deviceId }: DeviceKey): readonly DeviceScheduleRecord[] {
    return this.#sql.list.all(deviceId);
  }

  listDue({ now, limit }: Parameters<ScheduleStore["listDue"]>[0]): readonly DeviceScheduleRecord[] {
    return this.#sql.due.all(now, limit);
  }

  has(deviceId: string, id: number): boolean {
    return this.#sql.find.one(deviceId, id) !== null;
  }

  /** True if the text existed. */
  remove(deviceId: string, id: number): boolean {
    return this.#sql.remove(deviceId, id) > 0;
  }
}
