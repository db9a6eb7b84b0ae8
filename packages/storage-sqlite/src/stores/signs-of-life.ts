import type { Clock } from "@telex/core";
import type { DeviceKey, DeviceRecord } from "@telex/core/storage";
import type { Database } from "../engine/database.ts";
import type { GroupCommit } from "../engine/group-commit.ts";
import { WriteBehind } from "../engine/write-behind.ts";

/** The last sign of life of a device, while it is not in the database yet. */
interface SignOfLife extends DeviceKey {
  /** Unix milliseconds. */
  readonly lastSeen: number;
}

/** Signs of life. They are known immediately and written a second later, for all devices together. */
export class SignsOfLife {
  readonly #commit: GroupCommit;
  readonly #signs: WriteBehind<string, SignOfLife>;
  /** Signs of life that a verb has written with the row of their device, and that are still in memory. */
  readonly #inRows = new Map<string, SignOfLife>();

  constructor(database: Database, commit: GroupCommit, clock: Clock) {
    this.#commit = commit;
    const write = database.command(
      "UPDATE devices SET last_seen = max(last_seen, ?), away = 0 WHERE device_id = ? AND owner = ?",
    );
    this.#signs = new WriteBehind({
      commit,
      clock,
      write: (sign) => {
        // Otherwise it would undo a departure in the same transaction.
        if (this.#inRows.get(sign.deviceId) !== sign) write(sign.lastSeen, sign.deviceId, sign.owner);
      },
    });
  }

  /** The stored record, completed with the sign of life in memory. */
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

  /** Notes the last sign of life in this record. */
  keep({ deviceId, owner, lastSeen }: DeviceRecord): void {
    this.#signs.keep(deviceId, { deviceId, owner, lastSeen });
  }

  /**
   * Runs a verb that writes the row of a device with its sign of life, which is then not written again.
   * @param isWritten true for a result after which the row contains the sign of life
   */
  async writeRow<T>(deviceId: string, verb: () => T, isWritten: (result: T) => boolean): Promise<T> {
    const run = (): T => {
      const result = verb();
      const sign = this.#signs.find(deviceId);
      if (sign !== undefined && isWritten(result)) this.#inRows.set(deviceId, sign);
      return result;
    };
    const applied = (): void => {
      const sign = this.#inRows.get(deviceId);
      if (sign !== undefined) this.#signs.forget(deviceId, sign);
    };
    return await this.#commit.write(run, applied).finally(() => this.#inRows.delete(deviceId));
  }

  /** Drops the sign of life of a device that was removed. */
  forget(deviceId: string): void {
    const sign = this.#signs.find(deviceId);
    if (sign !== undefined) this.#signs.forget(deviceId, sign);
  }

  /** Writes the signs of life that are only in memory. */
  flush(): Promise<void> {
    return this.#signs.flush();
  }
}
