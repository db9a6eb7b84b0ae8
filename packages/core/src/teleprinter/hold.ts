import type { Clock } from "@telex/ground/time";
import type { TeleprinterLimits } from "./limits.ts";
import { refusal } from "./refusal.ts";
import type { DeviceHeld, DeviceKey, DeviceTake, TeleprinterStore } from "./store.ts";
import type { DeviceMessageRecord } from "../records/teleprinter.ts";

interface HoldDeps {
  readonly store: TeleprinterStore;
  readonly clock: Clock;
  readonly limits: TeleprinterLimits;
}

type HoldKey = DeviceKey & Pick<DeviceTake, "withoutRooms">;

interface Taken {
  readonly outcome: "taken";
  readonly messages: readonly DeviceMessageRecord[];
}

const mostTaken = 100;

const nothing: Taken = { outcome: "taken", messages: [] };

function createTaking({ store, clock, limits }: HoldDeps, key: HoldKey, holder: string) {
  let after = 0;
  const ask = async (limit: number): Promise<Taken | DeviceHeld> => {
    const now = clock.now();
    const taken = await store.take({ ...key, limit, after, holder, keep: true, now, until: now + limits.deviceLease });
    if (taken.outcome === "taken" || taken.outcome === "held") return taken;
    throw refusal(taken, key.deviceId);
  };
  return async (limit: number): Promise<Taken | DeviceHeld> => {
    const begun = clock.now();
    const first = await ask(limit);
    // If this process stood still, another server may have taken the queue over.
    const taken = clock.now() - begun < limits.serverSilence ? first : await ask(limit);
    if (taken.outcome === "taken") after = taken.messages.at(-1)?.id ?? after;
    return taken;
  };
}

/** The texts of a device's queue that a connection holds as `holder`. */
export function createHold(deps: HoldDeps, key: HoldKey, holder: string) {
  const { store, clock, limits } = deps;
  const { deviceId } = key;
  const ask = createTaking(deps, key, holder);
  /** Texts that the device may have, and that are not marked in the storage. */
  const open = new Set<number>();
  /** The texts that the device has for certain. */
  const owed = new Set<number>();
  let wasHeld = false;
  const renew = (): Promise<boolean> => store.renew({ deviceId, holder, until: clock.now() + limits.deviceLease });
  const mark = async (ids: readonly number[]): Promise<readonly number[]> => {
    for (const id of ids) owed.add(id);
    const all = [...owed];
    if (all.length === 0) return [];
    const marked = await store.deliver({ deviceId, holder, ids: all });
    for (const id of marked) for (const set of [open, owed]) set.delete(id);
    return marked;
  };
  return {
    /** False if another one may hold the queue now. */
    renew,
    /** The next texts of the device, as long as not too many are on their way. */
    async take(): Promise<Taken | DeviceHeld> {
      const limit = Math.min(mostTaken, limits.deviceWindow - open.size);
      if (limit <= 0 && (await renew())) return nothing;
      const taken = await ask(Math.max(1, limit));
      if (taken.outcome === "held") return taken;
      wasHeld = true;
      for (const { id } of taken.messages) open.add(id);
      return taken;
    },
    has: (id: number): boolean => open.has(id),
    isEmpty: (): boolean => open.size === 0,
    /** True once the queue was held. */
    wasHeld: (): boolean => wasHeld,
    owes: (): boolean => owed.size > 0,
    /** Marks these, and those that could not be marked before. Returns the marked ones. */
    deliver: (ids: readonly number[]): Promise<readonly number[]> => mark(ids.filter((id) => open.has(id))),
    /** As `deliver`, directly after texts were taken: texts that cannot be marked now were delivered by another holder. */
    async settle(): Promise<readonly number[]> {
      const marked = await mark([]);
      for (const id of owed) open.delete(id);
      owed.clear();
      return marked;
    },
    free: (): Promise<void> => store.requeue({ deviceId, holder }),
  };
}
