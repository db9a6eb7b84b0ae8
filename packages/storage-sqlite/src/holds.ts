/** Who holds a message, and until when. */
interface Hold {
  readonly holder: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/** The messages of one device that somebody holds. */
class DeviceHolds {
  readonly #holds = new Map<number, Hold>();
  /** Every waiting message up to this id is held: a search begins behind it. */
  #frontier = 0;
  /** Unix milliseconds: no hold ends before. */
  #soonest = Number.POSITIVE_INFINITY;

  get isEmpty(): boolean {
    return this.#holds.size === 0;
  }

  get frontier(): number {
    return this.#frontier;
  }

  /** Lets go of what has been held for too long. */
  expire(now: number): void {
    if (now < this.#soonest) return;
    this.release((hold) => hold.until <= now);
    this.#soonest = this.#holds
      .values()
      .reduce((soonest, hold) => Math.min(soonest, hold.until), Number.POSITIVE_INFINITY);
  }

  holds(id: number, holder?: string): boolean {
    const hold = this.#holds.get(id);
    return hold !== undefined && (holder === undefined || hold.holder === holder);
  }

  /** Holds the oldest waiting messages that nobody holds. */
  add(ids: readonly number[], hold: Hold): void {
    for (const id of ids) this.#holds.set(id, hold);
    this.#frontier = ids.at(-1) ?? this.#frontier;
    this.#soonest = Math.min(this.#soonest, hold.until);
  }

  /** Forgets messages that wait no longer. */
  remove(ids: readonly number[]): void {
    for (const id of ids) this.#holds.delete(id);
  }

  /** Frees messages: a search begins at the oldest again. */
  release(isReleased: (hold: Hold, id: number) => boolean): void {
    for (const [id, hold] of this.#holds) if (isReleased(hold, id)) this.#holds.delete(id);
    this.#frontier = 0;
  }
}

/**
 * Who holds which messages. Kept in memory only: what a process held is free when it ends. Only one server at a time works
 * on a file, so nobody else needs to know.
 */
export class Holds {
  readonly #devices = new Map<string, DeviceHolds>();

  /** The device's holds that have not ended, or null when there are none. */
  current(deviceId: string, now: number): Pick<DeviceHolds, "frontier" | "holds"> | null {
    const device = this.#devices.get(deviceId);
    device?.expire(now);
    return device ?? null;
  }

  /** Holds the oldest waiting messages that nobody holds, which the caller has just found. */
  take(deviceId: string, ids: readonly number[], hold: Hold): void {
    if (ids.length === 0) return;
    const device = this.#devices.get(deviceId) ?? new DeviceHolds();
    this.#devices.set(deviceId, device);
    device.add(ids, hold);
  }

  /** Those of the messages that `holder` holds. */
  heldBy(deviceId: string, holder: string, ids: readonly number[]): readonly number[] {
    const device = this.#devices.get(deviceId);
    return device === undefined ? [] : ids.filter((id) => device.holds(id, holder));
  }

  /** Forgets messages that are delivered. */
  remove(deviceId: string, ids: readonly number[]): void {
    this.#amend(deviceId, (device) => device.remove(ids));
  }

  /** Frees what `holder` holds; with `ids` only those. */
  release(deviceId: string, holder: string, ids?: readonly number[]): void {
    const chosen = ids === undefined ? null : new Set(ids);
    this.#amend(deviceId, (device) =>
      device.release((hold, id) => hold.holder === holder && (chosen === null || chosen.has(id))),
    );
  }

  /** Forgets a device. */
  forget(deviceId: string): void {
    this.#devices.delete(deviceId);
  }

  #amend(deviceId: string, change: (device: DeviceHolds) => void): void {
    const device = this.#devices.get(deviceId);
    if (device === undefined) return;
    change(device);
    if (device.isEmpty) this.#devices.delete(deviceId);
  }
}
