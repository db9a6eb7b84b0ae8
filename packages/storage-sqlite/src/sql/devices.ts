import type { DeviceKey, DeviceRecord, DeviceRefusal, TeleprinterStore } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import { flagAt, integerAt, integerOrNullAt, textAt, textListAt, textOrNullAt } from "../engine/position-rows.ts";
import { integer, positionsOf, type Row } from "../engine/rows.ts";

/** A device, with the columns that only this store uses. */
export interface StoredDevice {
  readonly device: DeviceRecord;
  /** Undelivered messages, including held ones. */
  readonly waiting: number;
}

/** The input of {@link TeleprinterStore.claimDevice}. */
export type Claim = Parameters<TeleprinterStore["claimDevice"]>[0];

/** The fields of a device that a claim sets, except the name. */
export const settingOf = ({ ai, room, tags }: Claim) => ({
  ...(tags !== undefined && { tags: [...tags] }),
  ...(ai !== undefined && { ai }),
  ...(room !== undefined && {
    roomId: room?.groupId ?? null,
    roomMentions: room?.mentions ?? false,
    roomLife: room?.life ?? null,
  }),
});

/** The device, if the caller owns it. */
export function ownOf({ owner }: DeviceKey, device: StoredDevice | null): StoredDevice | DeviceRefusal {
  if (device === null) return { outcome: "missing" };
  return device.device.owner === owner ? device : { outcome: "not_owner" };
}

/** A device after a sign of life. */
export const seenAt = (device: DeviceRecord, now: number): DeviceRecord => ({
  ...device,
  lastSeen: Math.max(device.lastSeen, now),
  away: false,
});

const list = [
  "device_id",
  "name",
  "owner",
  "created_at",
  "last_seen",
  "away",
  "ai",
  "room_id",
  "room_mentions",
  "room_life",
  "tags",
  "program",
  "transport",
  "can",
  "fault",
  "fault_at",
  "waiting",
] as const;

/** The columns that claims and changes set. */
const settable = [
  "name",
  "ai",
  "room_id",
  "room_mentions",
  "room_life",
  "tags",
  "program",
  "transport",
  "can",
  "fault",
  "fault_at",
] as const;

/** The values of the columns that claims and changes set. */
export const settableOf = (device: DeviceRecord) => [
  device.name,
  device.ai,
  device.roomId,
  Number(device.roomMentions),
  device.roomLife,
  JSON.stringify(device.tags),
  device.program,
  device.transport,
  JSON.stringify(device.can),
  device.fault,
  device.faultAt,
];

const select = `SELECT ${list.join(", ")} FROM devices`;
const at = positionsOf(list);

const readDevice = (row: Row): StoredDevice => ({
  device: {
    deviceId: textAt(row, at.device_id),
    name: textAt(row, at.name),
    owner: integerAt(row, at.owner),
    createdAt: integerAt(row, at.created_at),
    lastSeen: integerAt(row, at.last_seen),
    away: flagAt(row, at.away),
    ai: textOrNullAt(row, at.ai),
    roomId: integerOrNullAt(row, at.room_id),
    roomMentions: flagAt(row, at.room_mentions),
    roomLife: integerOrNullAt(row, at.room_life),
    tags: textListAt(row, at.tags),
    program: textOrNullAt(row, at.program),
    transport: textOrNullAt(row, at.transport),
    can: textListAt(row, at.can),
    fault: textOrNullAt(row, at.fault),
    faultAt: integerOrNullAt(row, at.fault_at),
  },
  waiting: integerAt(row, at.waiting),
});

export const prepareDevices = (database: Database) => ({
  insert: database.command(
    "INSERT INTO devices (device_id, name, owner, created_at, last_seen) VALUES (?, ?, ?, ?, ?)",
  ),
  find: database.queryByPosition(`${select} WHERE device_id = ?`, readDevice),
  list: database.queryByPosition(`${select} WHERE owner = ?`, readDevice),
  count: database.query("SELECT count(*) AS count FROM devices WHERE owner = ?", (row) => integer(row, "count")),
  sumWaiting: database.query("SELECT coalesce(sum(waiting), 0) AS total FROM devices", (row) => integer(row, "total")),
  printers: database.queryByPosition(`${select} WHERE room_id = ? ORDER BY device_id`, readDevice),
  set: database.command(`UPDATE devices SET ${settable.map((name) => `${name} = ?`).join(", ")} WHERE device_id = ?`),
  see: database.command("UPDATE devices SET last_seen = ?, away = ? WHERE device_id = ?"),
  remove: database.command("DELETE FROM devices WHERE device_id = ?"),
  findGeneration: database.query("SELECT generation FROM device_generations WHERE device_id = ?", (row) =>
    integer(row, "generation"),
  ),
  raiseGeneration: database.command(`
    INSERT INTO device_generations (device_id, generation) VALUES (?, 1)
    ON CONFLICT (device_id) DO UPDATE SET generation = generation + 1`),
});
