import type { DeviceKey, DeviceRecord } from "@telex/core";

/** The last sign of life of a device that is not in the database yet. */
export interface SignOfLife extends DeviceKey {
  /** Unix milliseconds. */
  readonly lastSeen: number;
}

/** Signs of life that are known at once and written later: what a device record lacks of them. */
export class SignsOfLife {
  readonly #signs = new Map<string, SignOfLife>();

  get isEmpty(): boolean {
    return this.#signs.size === 0;
  }

  /** The stored record with what is not stored yet. */
  complete(stored: DeviceRecord): DeviceRecord {
    const sign = this.#signs.get(stored.deviceId);
    if (sign === undefined || sign.owner !== stored.owner) return stored;
    return { ...stored, lastSeen: Math.max(stored.lastSeen, sign.lastSeen), away: false };
  }

  /** Notes a sign of life, and answers the device as it is from now on. */
  note(device: DeviceRecord, now: number): DeviceRecord {
    const { deviceId, owner } = device;
    const lastSeen = Math.max(device.lastSeen, now);
    if (lastSeen > device.lastSeen || device.away) this.#signs.set(deviceId, { deviceId, owner, lastSeen });
    return { ...device, lastSeen, away: false };
  }

  /** What is to be written. */
  list(): readonly SignOfLife[] {
    return [...this.#signs.values()];
  }

  /** Forgets what has been written, unless a later sign has come since. */
  written(sign: SignOfLife): void {
    if (this.#signs.get(sign.deviceId) === sign) this.#signs.delete(sign.deviceId);
  }

  /** Forgets a device's sign, because its row says all of it. */
  forget(deviceId: string): void {
    this.#signs.delete(deviceId);
  }
}
