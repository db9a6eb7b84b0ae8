import type { Clock } from "@telex/ground/time";
import type { TeleprinterLimits } from "./limits.ts";
import { refusal } from "./refusal.ts";
import type { DeviceHeld, DeviceKey, DeviceTake, TeleprinterStore } from "./store.ts";
import type { DeviceMessageRecord } from "../records/teleprinter.ts";

interface BatchDeps {
  readonly store: TeleprinterStore;
  readonly clock: Clock;
  readonly limits: TeleprinterLimits;
}

type BatchKey = DeviceKey & Pick<DeviceTake, "withoutRooms" | "order">;

interface Taken {
  readonly outcome: "taken";
  readonly messages: readonly DeviceMessageRecord[];
}

const mostTaken = 100;
/** Maximum texts on their way to a device that wants the urgent ones first: a text on its way is no longer overtaken. */
const urgentWindow = 2;

const nothing: Taken = { outcome: "taken", messages: [] };

function createTaking({ store, clock, limits }: BatchDeps, key: BatchKey, holder: string) {
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
    // If this process was stopped, another server may have taken the queue over.
    const taken = clock.now() - begun < limits.serverSilence ? first : await ask(limit);
    if (taken.outcome === "taken" && key.order === undefined) after = taken.messages.at(-1)?.id ?? after;
    return taken;
  };
}

/** The texts of a device's queue that a connection holds as `holder`. */
export function createBatch(deps: BatchDeps, key: BatchKey, holder: string) {
  const { store, clock, limits } = deps;
  const { deviceId } = key;
  const ask = createTaking(deps, key, holder);
  /** Texts that the device may have, and that are not marked in the storage, by id. */
  const open = new Map<number, DeviceMessageRecord>();
  /** The texts that the device has for certain. */
  const owed = new Set<number>();
  let wasHeld = false;
  const most = key.order === undefined ? limits.deviceWindow : urgentWindow;
  const renew = (): Promise<boolean> => store.renew({ deviceId, holder, until: clock.now() + limits.deviceLease });
  /** Ends texts that the device gives up. One that cannot be marked now comes again. */
  const giveUp = async (ids: readonly number[]): Promise<void> => {
    const isOver = (id: number): boolean => (open.get(id)?.expiresAt ?? Number.POSITIVE_INFINITY) <= clock.now();
    for (const [ended, some] of [
      ["expired", ids.filter(isOver)],
      ["failed", ids.filter((id) => !isOver(id))],
    ] as const) {
      if (some.length === 0) continue;
      for (const id of await store.deliver({ deviceId, holder, ids: some, ended })) open.delete(id);
    }
  };
  const mark = async (ids: readonly number[]): Promise<readonly number[]> => {
    for (const id of ids) owed.add(id);
    const all = [...owed];
    if (all.length === 0) return [];
    const marked = await store.deliver({ deviceId, holder, ids: all });
    for (const id of marked) {
      open.delete(id);
      owed.delete(id);
    }
    return marked;
  };
  return {
    /** False if another one may hold the queue now. */
    renew,
    /** The next texts of the device, as long as not too many are on their way. */
    async take(): Promise<Taken | DeviceHeld> {
      const limit = Math.min(mostTaken, most - open.size);
      if (limit <= 0 && (await renew())) return nothing;
      // In the order of urgency, those that are on their way come first or in between.
      const taken = await ask(Math.max(1, limit) + (key.order === undefined ? 0 : open.size));
      if (taken.outcome === "held") return taken;
      wasHeld = true;
      const messages = taken.messages.filter(({ id }) => !open.has(id)).slice(0, Math.max(1, limit));
      for (const message of messages) open.set(message.id, message);
      return { ...taken, messages };
    },
    giveUp,
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
