/** Who holds a message, and until when. */
interface Hold {
  readonly holder: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/** The messages of one device that somebody holds, or held until its time was over and nobody else took. */
class DeviceHolds {
  readonly #holds = new Map<number, Hold>();
  /** Every waiting message up to this id is held: a search begins behind it. */
  #frontier = 0;
  /** Unix milliseconds: no hold ends before. */
  #soonest = Number.POSITIVE_INFINITY;

  get isEmpty(): boolean {
    return this.#holds.size === 0;
  }

  /** Where a search for free messages begins. */
  frontier(now: number): number {
    if (now >= this.#soonest) {
      this.#frontier = 0;
      this.#soonest = this.#soonestAfter(now);
    }
    return this.#frontier;
  }

  isFree(id: number, now: number): boolean {
    const hold = this.#holds.get(id);
    return hold === undefined || hold.until <= now;
  }

  isHeldBy(id: number, holder: string): boolean {
    return this.#holds.get(id)?.holder === holder;
  }

  /** Holds the oldest free messages; with `areAll` false only some of them, so that the search goes on beginning where it did. */
  add(ids: readonly number[], hold: Hold, areAll: boolean): void {
    for (const id of ids) this.#holds.set(id, hold);
    if (areAll) this.#frontier = ids.at(-1) ?? this.#frontier;
    this.#soonest = Math.min(this.#soonest, hold.until);
  }

  /** Moves the end of those of these messages that this holder holds. */
  renew(ids: readonly number[], hold: Hold): void {
    for (const id of ids) if (this.isHeldBy(id, hold.holder)) this.#holds.set(id, hold);
    this.#soonest = Math.min(this.#soonest, hold.until);
  }

  /** Forgets messages that wait no longer. */
  remove(ids: readonly number[]): void {
    for (const id of ids) this.#holds.delete(id);
  }

  /** Frees messages: a search begins at the oldest again. */
  release(holder: string, except: readonly number[]): void {
    const kept = new Set(except);
    for (const id of this.#holds.keys()) if (this.isHeldBy(id, holder) && !kept.has(id)) this.#holds.delete(id);
    this.#frontier = 0;
  }

  #soonestAfter(now: number): number {
    const ends = this.#holds.values().map((hold) => (hold.until > now ? hold.until : Number.POSITIVE_INFINITY));
    return ends.reduce((soonest, until) => Math.min(soonest, until), Number.POSITIVE_INFINITY);
  }
}

/**
 * Who holds which messages. Kept in memory only: what a process held is free when it ends. Only one server at a time works
 * on a file, so nobody else needs to know.
 */
export class Holds {
  readonly #devices = new Map<string, DeviceHolds>();

  /** Every waiting message of the device up to this id is held. */
  frontier(deviceId: string, now: number): number {
    return this.#devices.get(deviceId)?.frontier(now) ?? 0;
  }

  /** True for a message that nobody holds. */
  isFree(deviceId: string, id: number, now: number): boolean {
    return this.#devices.get(deviceId)?.isFree(id, now) ?? true;
  }

  /** True for a message that `holder` has taken, and nobody after it. */
  isHeldBy(deviceId: string, id: number, holder: string): boolean {
    return this.#devices.get(deviceId)?.isHeldBy(id, holder) ?? false;
  }

  /**
   * Holds free messages that the caller has just found.
   * @param areAll whether they are the oldest free ones, with none between them left out
   */
  take(deviceId: string, ids: readonly number[], hold: Hold, areAll = true): void {
    if (ids.length === 0) return;
    const device = this.#devices.get(deviceId) ?? new DeviceHolds();
    this.#devices.set(deviceId, device);
    device.add(ids, hold, areAll);
  }

  /** Moves the end of those of these messages that this holder holds. */
  renew(deviceId: string, ids: readonly number[], hold: Hold): void {
    this.#amend(deviceId, (device) => device.renew(ids, hold));
  }

  /** Forgets messages that are delivered. */
  remove(deviceId: string, ids: readonly number[]): void {
    this.#amend(deviceId, (device) => device.remove(ids));
  }

  /** Frees what `holder` holds, but for `except`. */
  release(deviceId: string, holder: string, except: readonly number[] = []): void {
    this.#amend(deviceId, (device) => device.release(holder, except));
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
