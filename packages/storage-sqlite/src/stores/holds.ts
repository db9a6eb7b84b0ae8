/** The holder of a device's queue. */
interface Hold {
  readonly holder: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/**
 * The holders of devices' queues. Kept in memory only: a process that ends holds no queue. A single server works on a file, so no other
 * process needs them.
 */
export class Holds {
  readonly #holds = new Map<string, Hold>();

  /** The holder of the queue, if its time is not over. */
  holderOf(deviceId: string, now: number): string | null {
    const hold = this.#holds.get(deviceId);
    return hold === undefined || hold.until <= now ? null : hold.holder;
  }

  /** True if `holder` has taken, and no other one after it. */
  isHeldBy(deviceId: string, holder: string): boolean {
    return this.#holds.get(deviceId)?.holder === holder;
  }

  /** Gives the queue to a holder. The caller has made sure that no other one has it. */
  take(deviceId: string, hold: Hold): void {
    this.#holds.set(deviceId, hold);
  }

  /** Moves the end of a hold. False if `holder` no longer has the queue. */
  renew(deviceId: string, hold: Hold): boolean {
    const isHeld = this.isHeldBy(deviceId, hold.holder);
    if (isHeld) this.#holds.set(deviceId, hold);
    return isHeld;
  }

  /** Frees the queue if `holder` has it. */
  release(deviceId: string, holder: string): void {
    if (this.isHeldBy(deviceId, holder)) this.#holds.delete(deviceId);
  }

  /** Forgets a device. */
  forget(deviceId: string): void {
    this.#holds.delete(deviceId);
  }
}
