import type { Clock, DeviceKey, DeviceRecord } from "@telex/core";
import type { Command, Database } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";

/** The last sign of life of a device that is not in the database yet. */
interface SignOfLife extends DeviceKey {
  /** Unix milliseconds. */
  readonly lastSeen: number;
}

/** Milliseconds from a sign of life to its writing. */
const writeBehind = 1000;

/** Signs that are written by one verb: enough to be cheap, few enough not to fill a turn of the event loop. */
const signsPerVerb = 100;

/**
 * Signs of life are known at once and written a second later, for all devices in one go. Until then they are what a
 * device's row lacks.
 */
export class SignsOfLife {
  readonly #signs = new Map<string, SignOfLife>();
  readonly #commit: GroupCommit;
  readonly #clock: Clock;
  readonly #write: Command;
  #cancel: (() => void) | null = null;

  constructor(database: Database, commit: GroupCommit, clock: Clock) {
    this.#commit = commit;
    this.#clock = clock;
    this.#write = database.command(
      "UPDATE devices SET last_seen = max(last_seen, ?), away = 0 WHERE device_id = ? AND owner = ?",
    );
  }

  /** The stored record with what is not stored yet. */
  complete(stored: DeviceRecord): DeviceRecord {
    const sign = this.#signs.get(stored.deviceId);
    if (sign === undefined || sign.owner !== stored.owner) return stored;
    return { ...stored, lastSeen: Math.max(stored.lastSeen, sign.lastSeen), away: false };
  }

  /** Notes a sign of life, and answers the device as it is from now on. */
  note(device: DeviceRecord, now: number): DeviceRecord {
    const lastSeen = Math.max(device.lastSeen, now);
    const seen = { ...device, lastSeen, away: false };
    if (lastSeen > device.lastSeen || device.away) this.keep(seen);
    return seen;
  }

  /** Notes the last sign of life of a device as it is here. */
  keep({ deviceId, owner, lastSeen }: DeviceRecord): void {
    this.#signs.set(deviceId, { deviceId, owner, lastSeen });
    this.#writeSoon();
  }

  /** Forgets a device's sign, because its row says all of it. */
  forget(deviceId: string): void {
    this.#signs.delete(deviceId);
  }

  /** Writes what is not written yet. */
  async flush(): Promise<void> {
    this.#cancel?.();
    this.#cancel = null;
    const signs = [...this.#signs.values()];
    const writes: Promise<void>[] = [];
    for (let from = 0; from < signs.length; from += signsPerVerb) {
      writes.push(this.#writeSlice(signs.slice(from, from + signsPerVerb)));
    }
    await Promise.allSettled(writes);
  }

  #writeSoon(): void {
    this.#cancel ??= this.#clock.after(writeBehind, () => void this.#writeAll());
  }

  async #writeAll(): Promise<void> {
    await this.flush();
    // What could not be written is still there, and is tried again.
    if (this.#signs.size > 0) this.#writeSoon();
  }

  #writeSlice(signs: readonly SignOfLife[]): Promise<void> {
    return this.#commit.write(
      () => {
        for (const { deviceId, owner, lastSeen } of signs) this.#write(lastSeen, deviceId, owner);
      },
      () => {
        for (const sign of signs) this.#written(sign);
      },
    );
  }

  #written(sign: SignOfLife): void {
    // A later sign has replaced it, and is written in its turn.
    if (this.#signs.get(sign.deviceId) === sign) this.#signs.delete(sign.deviceId);
  }
}
