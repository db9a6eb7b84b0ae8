/** The holder of a device's queue. */
interface QueueLease {
  readonly holder: string;
  /** Unix milliseconds. */
  readonly until: number;
}

/**
 * The holders of devices' queues. Only kept in memory, because a process that ends holds no queue. Only one server uses a file, so no
 * other process needs them.
 */
export class QueueLeases {
  readonly #leases = new Map<string, QueueLease>();

  /** The holder of the queue, unless its time is over. */
  holderOf(deviceId: string, now: number): string | null {
    const lease = this.#leases.get(deviceId);
    return lease === undefined || lease.until <= now ? null : lease.holder;
  }

  /** True if `holder` was the last one to take the queue. */
  isHeldBy(deviceId: string, holder: string): boolean {
    return this.#leases.get(deviceId)?.holder === holder;
  }

  /** Gives the queue to a holder. The caller has checked that no other one has it. */
  take(deviceId: string, lease: QueueLease): void {
    this.#leases.set(deviceId, lease);
  }

  /** Moves the end of a lease. False if `holder` no longer has the queue. */
  renew(deviceId: string, lease: QueueLease): boolean {
    const isHeld = this.isHeldBy(deviceId, lease.holder);
    if (isHeld) this.#leases.set(deviceId, lease);
    return isHeld;
  }

  /** Frees the queue if `holder` has it. */
  release(deviceId: string, holder: string): void {
    if (this.isHeldBy(deviceId, holder)) this.#leases.delete(deviceId);
  }

  /** Removes the holder of a released device. */
  forget(deviceId: string): void {
    this.#leases.delete(deviceId);
  }
}
