import type { TeleprinterLimits } from "./limits.ts";
import type { Clock } from "../time/clock.ts";
import { createHolders } from "./holders.ts";
import { refusal } from "./refusal.ts";
import type { DeviceKey, DeviceTake, TeleprinterStore } from "./store.ts";
import type { DeviceMessageRecord } from "../records/teleprinter.ts";

/** What holds of a queue need. */
interface HoldDeps {
  readonly store: TeleprinterStore;
  readonly clock: Clock;
  readonly limits: TeleprinterLimits;
}

/** Texts that are taken together. */
const mostTaken = 100;

/** The texts that a feed holds, and in whose name. */
function createHeld() {
  const newHolder = createHolders();
  const holders = new Map<number, string>();
  let holder = newHolder();
  return {
    /** In whose name is taken. */
    get holder(): string {
      return holder;
    },
    changeHolder: (): void => void (holder = newHolder()),
    get size(): number {
      return holders.size;
    },
    has: (id: number): boolean => holders.has(id),
    add: (id: number): void => void holders.set(id, holder),
    remove: (id: number): boolean => holders.delete(id),
    /** These ids by the names in which they are held. Without ids: all. */
    byHolder: (ids: Iterable<number> = holders.keys()): ReadonlyMap<string, readonly number[]> =>
      Map.groupBy(ids, (id) => holders.get(id) ?? holder),
  };
}

/** Marks what a device has. */
function createMarking(store: TeleprinterStore, deviceId: string, held: ReturnType<typeof createHeld>) {
  /** The device has them, but the storage does not know it yet. */
  const owed = new Set<number>();
  const mark = async (holder: string, ids: readonly number[]): Promise<readonly number[]> => {
    const marked = await store.deliver({ deviceId, holder, ids });
    for (const id of ids) {
      held.remove(id);
      owed.delete(id);
    }
    return marked;
  };
  return {
    owes: (): boolean => owed.size > 0,
    /**
     * Marks these, and those that could not be marked before.
     * @param told is given what was marked, also if the rest fails
     */
    async deliver(delivered: readonly number[], told: (marked: readonly number[]) => void): Promise<void> {
      try {
        for (const [holder, ids] of held.byHolder(new Set([...owed, ...delivered]))) told(await mark(holder, ids));
      } catch (cause) {
        for (const id of delivered) if (held.has(id)) owed.add(id);
        throw cause;
      }
    },
  };
}

/** What a feed holds of its device's queue. */
export function createHold({ store, clock, limits }: HoldDeps, key: DeviceKey & Pick<DeviceTake, "withoutRooms">) {
  const { deviceId } = key;
  const held = createHeld();
  /** In this name an attempt to take is not done, or has failed. It may hold texts that nobody here knows, now or only later. */
  let doubted: string | null = null;
  const lease = () => {
    const now = clock.now();
    return { now, until: now + limits.deviceLease };
  };
  /** Unix milliseconds: until then everything is held. */
  let end = 0;
  /** Holds what is held for another lease. */
  const renew = async (): Promise<void> => {
    const { until } = lease();
    for (const [holder, ids] of held.byHolder()) await store.renew({ deviceId, holder, ids, until });
    end = until;
  };
  /**
   * Frees what an attempt that failed has taken. If this fails, it may be done much later, too. It frees nothing else then, because
   * nothing is taken in that name any more. If the attempt takes only after this, its texts are free when its lease ends.
   */
  const settleDoubt = async (): Promise<void> => {
    if (doubted === null) return;
    if (doubted === held.holder) held.changeHolder();
    await store.requeue({ deviceId, holder: doubted, except: held.byHolder().get(doubted) ?? [] });
    doubted = null;
  };
  const take = async (): Promise<readonly DeviceMessageRecord[]> => {
    const limit = Math.min(mostTaken, limits.deviceWindow - held.size);
    if (limit <= 0) return [];
    // Without a lease, an attempt that fails may take, in its own name, what the device has.
    if (held.size > 0 && clock.now() >= end) await renew();
    await settleDoubt();
    const { holder } = held;
    const leased = lease();
    doubted = holder;
    const taken = await store.take({ ...key, limit, holder, ...leased });
    doubted = null;
    if (taken.outcome !== "taken") throw refusal(taken, deviceId);
    if (held.size === 0) end = leased.until;
    // If the lease ended and somebody else took and put back meanwhile, what the device has comes again.
    const fresh = taken.messages.filter(({ id }) => !held.has(id));
    for (const { id } of taken.messages) held.add(id);
    if (fresh.length > 0 || taken.messages.length === 0) return fresh;
    // There may be others behind it.
    await renew();
    return take();
  };
  return {
    renew,
    take,
    has: held.has,
    isEmpty: (): boolean => held.size === 0,
    ...createMarking(store, deviceId, held),
    free: async (): Promise<void> => {
      const names = new Set([held.holder, doubted ?? held.holder, ...held.byHolder().keys()]);
      for (const holder of names) await store.requeue({ deviceId, holder });
    },
  };
}
