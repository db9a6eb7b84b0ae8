import type { Clock } from "@telex/core";
import type { DeviceKey, DeviceRecord } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { WriteBehind } from "../engine/write-behind.ts";

/** The last sign of life of a device that is not in the database yet. */
interface SignOfLife extends DeviceKey {
  /** Unix milliseconds. */
  readonly lastSeen: number;
}

/** Signs of life are known immediately and written a second later, for all devices in one go. */
export class SignsOfLife {
  readonly #signs: WriteBehind<string, SignOfLife>;

  constructor(database: Database, commit: GroupCommit, clock: Clock) {
    const write = database.command(
      "UPDATE devices SET last_seen = max(last_seen, ?), away = 0 WHERE device_id = ? AND owner = ?",
    );
    this.#signs = new WriteBehind({
      commit,
      clock,
      write: ({ lastSeen, deviceId, owner }) => void write(lastSeen, deviceId, owner),
    });
  }

  /** The stored record with the sign of life that is only in memory. */
  complete(stored: DeviceRecord): DeviceRecord {
    const sign = this.#signs.find(stored.deviceId);
    if (sign === undefined || sign.owner !== stored.owner) return stored;
    return { ...stored, lastSeen: Math.max(stored.lastSeen, sign.lastSeen), away: false };
  }

  /** Notes a sign of life, and returns the device with it. */
  note(device: DeviceRecord, now: number): DeviceRecord {
    const lastSeen = Math.max(device.lastSeen, now);
    const seen = { ...device, lastSeen, away: false };
    if (lastSeen > device.lastSeen || device.away) this.keep(seen);
    return seen;
  }

  /** Notes the last sign of life of a device as it is here. */
  keep({ deviceId, owner, lastSeen }: DeviceRecord): void {
    this.#signs.keep(deviceId, { deviceId, owner, lastSeen });
  }

  /** Forgets a device's sign, because its row says all of it. */
  forget(deviceId: string): void {
    this.#signs.forget(deviceId);
  }

  /** Writes the signs of life that are only in memory. */
  flush(): Promise<void> {
    return this.#signs.flush();
  }
}
